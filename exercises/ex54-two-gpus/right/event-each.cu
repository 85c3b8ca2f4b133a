// events for every microbatch, made and destroyed in the loop where the GPU is current; an early destroy is allowed
#include "ex54.h"

void pipeline(const float *input, float *send, float *send2, float *receive, float *receive2, float *results)
{
    float *out[2] = {send, send2}, *in[2] = {receive, receive2};
    cudaStream_t compute0, link, compute1;
    cudaEvent_t made[MICROBATCHES], arrived[MICROBATCHES], read[MICROBATCHES];

    cudaSetDevice(0);
    cudaStreamCreateWithFlags(&compute0, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&link, cudaStreamNonBlocking);       /* the copies are in a stream of GPU 0 ... */
    cudaSetDevice(1);
    cudaStreamCreateWithFlags(&compute1, cudaStreamNonBlocking);

    for (int i = 0; i < MICROBATCHES; i++) {
        int b = i % 2;

        cudaSetDevice(0);
        if (i >= 2) cudaStreamWaitEvent(compute0, arrived[i - 2], 0);  /* copy i - 2 has read out[b] */
        F<<<BLOCKS, THREADS, 0, compute0>>>(out[b], input, i);
        cudaEventCreateWithFlags(&made[i], cudaEventDisableTiming);
        cudaEventRecord(made[i], compute0);

        cudaStreamWaitEvent(link, made[i], 0);
        if (i >= 2) cudaStreamWaitEvent(link, read[i - 2], 0);     /* L(i - 2) has read in[b] */
        cudaMemcpyPeerAsync(in[b], 1, out[b], 0, FLOATS * sizeof(float), link);
        cudaEventCreateWithFlags(&arrived[i], cudaEventDisableTiming);
        cudaEventRecord(arrived[i], link);

        cudaSetDevice(1);
        cudaStreamWaitEvent(compute1, arrived[i], 0);
        L<<<BLOCKS, THREADS, 0, compute1>>>(results, in[b], i);
        cudaEventCreateWithFlags(&read[i], cudaEventDisableTiming);
        cudaEventRecord(read[i], compute1);
    }

    cudaStreamSynchronize(compute1);                               /* the last L comes after all of it */
    for (int i = 0; i < MICROBATCHES; i++) {
        cudaEventDestroy(made[i]);
        cudaEventDestroy(arrived[i]);
        cudaEventDestroy(read[i]);
    }
    cudaStreamDestroy(compute0);
    cudaStreamDestroy(link);
    cudaStreamDestroy(compute1);
}
