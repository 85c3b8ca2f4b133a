/* Exercise 57: programmatic dependent launch. What you may rely on is in ex57.h; the lesson is `make ex57-lesson`. */
#include "ex57.h"

__global__ void step(const float *weights, const float *from, float *to, float *squares, long long unit)
{
    /* TODO: Say to the device when the next kernel may begin, and wait for the kernel before this one where it has to be
     * waited for. */
    float weight = loadWeight(weights, unit);
    float value = combine(weight, from, to, unit);
    keepSquare(value, squares, unit);
}

void runChain(const float *weights, float *data, float *squares, long long unit)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    /* TODO: Each kernel begins when the one before it has ended. Launch all but the first so that the device may begin
     * them before: cudaLaunchKernelEx, with the attribute cudaLaunchAttributeProgrammaticStreamSerialization. */
    for (int i = 0; i < KERNELS; i++)
        step<<<BLOCKS, THREADS, 0, stream>>>(weights + i * FLOATS, data + i * FLOATS, data + (i + 1) * FLOATS,
                                             squares + i * FLOATS, unit);

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
