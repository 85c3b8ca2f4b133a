// the first kernel is launched with <<<>>>, in a non-blocking stream
#include "ex57.h"

__global__ void step(const float *weights, const float *from, float *to, float *squares, long long unit)
{
    float weight = loadWeight(weights, unit);
    cudaGridDependencySynchronize();
    float value = combine(weight, from, to, unit);
    cudaTriggerProgrammaticLaunchCompletion();
    keepSquare(value, squares, unit);
}

void runChain(const float *weights, float *data, float *squares, long long unit)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = &early;
    step<<<BLOCKS, THREADS, 0, stream>>>(weights, data, data + FLOATS, squares, unit);
    config.numAttrs = 1;
    for (int i = 1; i < KERNELS; i++)
        cudaLaunchKernelEx(&config, step, weights + i * FLOATS, (const float *)(data + i * FLOATS),
                           data + (i + 1) * FLOATS, squares + i * FLOATS, unit);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
