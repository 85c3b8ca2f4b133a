// A host thread for each batch, and each thread's own per-thread default stream.
#include <thread>
#include <vector>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < BATCHES; i++) {
        threads.emplace_back([=] {
            size_t at = (size_t)i * BATCH_FLOATS;
            cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, cudaStreamPerThread);
            work<<<BLOCKS, THREADS, 0, cudaStreamPerThread>>>(d_in + at, d_out + at);
            cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, cudaStreamPerThread);
            cudaStreamSynchronize(cudaStreamPerThread);
        });
    }
    for (std::thread &thread : threads) thread.join();
}
