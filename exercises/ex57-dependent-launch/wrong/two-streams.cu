// caught-by: streams
// two streams in turn, with an event between: nothing overlaps
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
    cudaStream_t streams[2];
    cudaEvent_t done;
    for (int i = 0; i < 2; i++) cudaStreamCreate(&streams[i]);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    for (int i = 0; i < KERNELS; i++) {
        if (i) cudaStreamWaitEvent(streams[i % 2], done, 0);
        step<<<BLOCKS, THREADS, 0, streams[i % 2]>>>(weights + i * FLOATS, data + i * FLOATS, data + (i + 1) * FLOATS,
                                                     squares + i * FLOATS, unit);
        cudaEventRecord(done, streams[i % 2]);
    }
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(streams[i]);
}
