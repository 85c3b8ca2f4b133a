/* Exercise 51: bug hunt. Three programs as people publish them: all three compile, run, and print the right numbers as
 * long as they are lucky. What you may rely on is in ex51.h; the lesson is `make ex51-lesson`.
 *
 * TODO: Find what is wrong with each, and repair it: no races, no call that orders nothing, as few waits of the host as
 * possible (one in the first two, two in the third), and otherWork() beside the device's work. */
#include "ex51.h"

void program1(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    cudaMemcpyAsync(d_in, h_in, BYTES, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    work<<<BLOCKS, THREADS>>>(d_in, d_out);
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
    cudaEventCreate(&copied);
    cudaEventCreate(&computed);

    cudaMemcpyAsync(d_in, h_in, BYTES, cudaMemcpyHostToDevice, transfer);
    cudaEventRecord(copied, transfer);
    cudaStreamWaitEvent(transfer, copied, 0);

    work<<<BLOCKS, THREADS, 0, compute>>>(d_in, d_out);
    cudaEventRecord(computed, transfer);
    cudaStreamWaitEvent(transfer, computed, 0);

    cudaMemcpyAsync(h_out, d_out, BYTES, cudaMemcpyDeviceToHost, transfer);
    otherWork();

    cudaEventSynchronize(computed);
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
        work2<<<BLOCKS, THREADS>>>(d_in + at, d_out + at, FLOATS, stream[i]);
        cudaMemcpyAsync(h_out + at, d_out + at, BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }
    otherWork();

    for (int i = 0; i < 2; i++) cudaStreamSynchronize(stream[i]);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(stream[i]);
}
