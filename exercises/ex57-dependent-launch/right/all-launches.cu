// every launch has the attribute, the first one too; the arguments as an array of pointers
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
    cudaStreamCreate(&stream);
    cudaLaunchAttribute early;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS);
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    for (int i = 0; i < KERNELS; i++) {
        const float *w = weights + i * FLOATS, *from = data + i * FLOATS;
        float *to = data + (i + 1) * FLOATS, *s = squares + i * FLOATS;
        void *arguments[] = {&w, &from, &to, &s, &unit};
        cudaLaunchKernelExC(&config, (const void *)step, arguments);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
