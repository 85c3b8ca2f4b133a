// caught-by: hazards, on a card: nothing
// B: the summary waits for the last batch only
#include <thread>
#include "ex46.h"

void withStream(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES], library;
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    cudaStreamCreate(&library);
    libSetStream(library);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
        libHeartbeat();
    }

    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
    cudaStreamDestroy(library);
}

void nonBlocking(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    cudaEvent_t computed[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&computed[i], cudaEventDisableTiming);
    }

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaEventRecord(computed[i], stream[i]);                    /* the summary needs this, not the copy back */
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
        oldHeartbeat();
    }
    cudaStreamWaitEvent(0, computed[BATCHES - 1], 0);    /* what the wall did until now */
    oldSummary(d_out);

    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamDestroy(stream[i]);
        cudaEventDestroy(computed[i]);
    }
}

static void worker(float *data)
{
    for (int i = 0; i < STEPS; i++) step<<<BLOCKS, THREADS, 0, cudaStreamPerThread>>>(data, i);
    cudaStreamSynchronize(cudaStreamPerThread);
}

void twoThreads(float *first, float *second)
{
    std::thread one(worker, first), two(worker, second);
    one.join();
    two.join();
}
