// caught-by: makespan, on a card: makespan-more
// waits before the prologue, so that nothing runs beside the kernel before
#include "ex57.h"

__global__ void step(const float *weights, const float *from, float *to, float *squares, long long unit)
{
    cudaGridDependencySynchronize();
    float weight = loadWeight(weights, unit);
    float value = combine(weight, from, to, unit);
    cudaTriggerProgrammaticLaunchCompletion();
    keepSquare(value, squares, unit);
}

void runChain(const float *weights, float *data, float *squares, long long unit)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = &early;
    for (int i = 0; i < KERNELS; i++) {
        config.numAttrs = i ? 1 : 0;
        cudaLaunchKernelEx(&config, step, weights + i * FLOATS, (const float *)(data + i * FLOATS),
                           data + (i + 1) * FLOATS, squares + i * FLOATS, unit);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
