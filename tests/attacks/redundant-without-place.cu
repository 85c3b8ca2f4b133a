// ex51 fail: No call orders what was in order anyway","state":"fail"
// Makes a call that orders nothing past the macro that notes where it stands.
#include "ex51.h"

void program1(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    cudaMemcpyAsync(d_in, h_in, BYTES, cudaMemcpyHostToDevice, stream);
    work<<<BLOCKS, THREADS, 0, stream>>>(d_in, d_out);             /* in the stream of its copies: nothing else is needed */
    cudaMemcpyAsync(h_out, d_out, BYTES, cudaMemcpyDeviceToHost, stream);
    otherWork();

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}

void program2(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t transfer, compute;
    cudaEvent_t copied, computed;
    cudaStreamCreate(&transfer);
    cudaStreamCreate(&compute);
    cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&computed, cudaEventDisableTiming);

    cudaMemcpyAsync(d_in, h_in, BYTES, cudaMemcpyHostToDevice, transfer);
    cudaEventRecord(copied, transfer);
    (cudaStreamWaitEvent)(transfer, copied, 0);
    cudaStreamWaitEvent(compute, copied, 0);                       /* who needs the data waits */

    work<<<BLOCKS, THREADS, 0, compute>>>(d_in, d_out);
    cudaEventRecord(computed, compute);                            /* in the stream that holds the kernel */
    cudaStreamWaitEvent(transfer, computed, 0);

    cudaMemcpyAsync(h_out, d_out, BYTES, cudaMemcpyDeviceToHost, transfer);
    otherWork();

    cudaStreamSynchronize(transfer);                               /* the last copy, too */
    cudaEventDestroy(copied);
    cudaEventDestroy(computed);
    cudaStreamDestroy(transfer);
    cudaStreamDestroy(compute);
}

void program3(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[2];
    for (int i = 0; i < 2; i++) cudaStreamCreate(&stream[i]);

    for (int i = 0; i < 2; i++) {
        size_t at = (size_t)i * FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BYTES, cudaMemcpyHostToDevice, stream[i]);
        work2<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at, FLOATS, 0);
        cudaMemcpyAsync(h_out + at, d_out + at, BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    otherWork();

    for (int i = 0; i < 2; i++) cudaStreamSynchronize(stream[i]);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(stream[i]);
}
