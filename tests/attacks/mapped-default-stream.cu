// ex46 fail: A: BATCHES \+ 2 units in all","state":"fail"
// The lanes carry four bytes a batch; the kernels read and write the host's memory over the bus.
#include <thread>
#include "ex46.h"

static void all(const float *h_in, float *h_out, float *d_in, float *d_out, unsigned flags, bool b)
{
    cudaStream_t stream[BATCHES], library;
    cudaEvent_t computed[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamCreateWithFlags(&stream[i], flags);
        cudaEventCreateWithFlags(&computed[i], cudaEventDisableTiming);
    }
    cudaStreamCreate(&library);
    if (!b) libSetStream(library);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, 4, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(h_in + at, b ? d_out + at : h_out + at);
        cudaEventRecord(computed[i], stream[i]);
        if (b) cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
        else cudaMemcpyAsync(h_out + at, h_out + at, 4, cudaMemcpyDeviceToHost, stream[i]);
        if (b) oldHeartbeat();
        else libHeartbeat();
    }
    if (b) {
        for (int i = 0; i < BATCHES; i++) cudaStreamWaitEvent(0, computed[i], 0);
        oldSummary(d_out);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) {
        cudaStreamDestroy(stream[i]);
        cudaEventDestroy(computed[i]);
    }
    cudaStreamDestroy(library);
}

void withStream(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    float *mine;
    cudaMallocHost((void **)&mine, 4 * BATCHES);
    cudaStream_t stream[BATCHES], library;
    for (int i = 0; i < BATCHES; i++) cudaStreamCreate(&stream[i]);
    cudaStreamCreate(&library);
    libSetStream(library);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, 4, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(h_in + at, h_out + at);
        cudaMemcpyAsync(mine + i, d_out + at, 4, cudaMemcpyDeviceToHost, stream[i]);
        libHeartbeat();
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
    cudaStreamDestroy(library);
    cudaFreeHost(mine);
}

void nonBlocking(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    all(h_in, h_out, d_in, d_out, cudaStreamNonBlocking, true);
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
