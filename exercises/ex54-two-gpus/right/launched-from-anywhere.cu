// L is launched while GPU 0 is current: its stream says where it runs (CUDA 13.0)
#include "ex54.h"

void pipeline(const float *input, float *send, float *send2, float *receive, float *receive2, float *results)
{
    float *out[2] = {send, send2}, *in[2] = {receive, receive2};
    cudaStream_t compute0, link, compute1;
    cudaEvent_t made, arrived[2], read[2];

    cudaSetDevice(0);
    cudaStreamCreateWithFlags(&compute0, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&link, cudaStreamNonBlocking);       /* the copies are in a stream of GPU 0 ... */
    cudaEventCreateWithFlags(&made, cudaEventDisableTiming);
    for (int b = 0; b < 2; b++) cudaEventCreateWithFlags(&arrived[b], cudaEventDisableTiming);
    cudaSetDevice(1);
    cudaStreamCreateWithFlags(&compute1, cudaStreamNonBlocking);
    for (int b = 0; b < 2; b++) cudaEventCreateWithFlags(&read[b], cudaEventDisableTiming);  /* ... L is on GPU 1 */

    for (int i = 0; i < MICROBATCHES; i++) {
        int b = i % 2;

        cudaSetDevice(0);
        if (i >= 2) cudaStreamWaitEvent(compute0, arrived[b], 0);  /* copy i - 2 has read out[b] */
        F<<<BLOCKS, THREADS, 0, compute0>>>(out[b], input, i);
        cudaEventRecord(made, compute0);

        cudaStreamWaitEvent(link, made, 0);
        if (i >= 2) cudaStreamWaitEvent(link, read[b], 0);         /* L(i - 2) has read in[b] */
        cudaMemcpyPeerAsync(in[b], 1, out[b], 0, FLOATS * sizeof(float), link);
        cudaEventRecord(arrived[b], link);

        cudaStreamWaitEvent(compute1, arrived[b], 0);
        L<<<BLOCKS, THREADS, 0, compute1>>>(results, in[b], i);
        cudaEventRecord(read[b], compute1);
    }

    cudaStreamSynchronize(compute1);                               /* the last L comes after all of it */
    cudaEventDestroy(made);
    for (int b = 0; b < 2; b++) {
        cudaEventDestroy(arrived[b]);
        cudaEventDestroy(read[b]);
    }
    cudaStreamDestroy(compute0);
    cudaStreamDestroy(link);
    cudaStreamDestroy(compute1);
}
