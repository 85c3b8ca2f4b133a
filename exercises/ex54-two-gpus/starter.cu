/* Exercise 54: two GPUs. What you may rely on is in ex54.h; the lesson is `make ex54-lesson`. */
#include "ex54.h"

void pipeline(const float *input, float *send, float *send2, float *receive, float *receive2, float *results)
{
    /* TODO: All three lanes are busy, and the numbers may well come out right. But every microbatch uses the same
     * two buffers: F overwrites activations that are still being copied, and the copy overwrites what L still reads.
     * Reach this: even microbatches use send and receive, odd ones send2 and receive2, and before a buffer is used
     * again, events on the way back (from the copy to F, from L to the copy) say that it is free. The host waits once,
     * at the end. */
    cudaStream_t compute0, link, compute1;
    cudaEvent_t made, arrived;

    cudaSetDevice(0);
    cudaStreamCreateWithFlags(&compute0, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&link, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming);
    cudaSetDevice(1);
    cudaStreamCreateWithFlags(&compute1, cudaStreamNonBlocking);

    for (int i = 0; i < MICROBATCHES; i++) {
        cudaSetDevice(0);
        F<<<BLOCKS, THREADS, 0, compute0>>>(send, input, i);
        cudaEventRecord(made, compute0);

        cudaStreamWaitEvent(link, made, 0);
        cudaMemcpyPeerAsync(receive, 1, send, 0, FLOATS * sizeof(float), link);
        cudaEventRecord(arrived, link);

        cudaSetDevice(1);
        cudaStreamWaitEvent(compute1, arrived, 0);
        L<<<BLOCKS, THREADS, 0, compute1>>>(results, receive, i);
    }

    cudaStreamSynchronize(compute1);
    cudaEventDestroy(made);
    cudaEventDestroy(arrived);
    cudaStreamDestroy(compute0);
    cudaStreamDestroy(link);
    cudaStreamDestroy(compute1);
}
