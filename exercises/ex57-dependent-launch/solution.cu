/* Exercise 57, a solution: the trigger lets the next kernel begin, the wait alone lets it read. */
#include "ex57.h"

__global__ void step(const float *weights, const float *from, float *to, float *squares, long long unit)
{
    float weight = loadWeight(weights, unit);       /* nobody else writes the weights: beside the kernel before this one */
    cudaGridDependencySynchronize();                /* that one has ended, and what it wrote is there */
    float value = combine(weight, from, to, unit);
    cudaTriggerProgrammaticLaunchCompletion();      /* when every block has come here, the next one may begin */
    keepSquare(value, squares, unit);
}

void runChain(const float *weights, float *data, float *squares, long long unit)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    for (int i = 0; i < KERNELS; i++) {
        cudaLaunchAttribute early;
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;

        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(BLOCKS);
        config.blockDim = dim3(THREADS);
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = i ? 1 : 0;                /* the first has nobody to wait for */
        cudaLaunchKernelEx(&config, step, weights + i * FLOATS, (const float *)(data + i * FLOATS),
                           data + (i + 1) * FLOATS, squares + i * FLOATS, unit);
    }

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
