// A task for each batch, kept in a vector that grows: the vector's own copying happens between the threads' calls.
#include "ex43.h"
#include <future>
#include <vector>

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    std::vector<std::future<void>> tasks;
    for (int i = 0; i < BATCHES; i++) {
        tasks.push_back(std::async(std::launch::async, [=] {
            size_t at = (size_t)i * BATCH_FLOATS;
            cudaStream_t s;
            cudaStreamCreate(&s);
            cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, s);
            work<<<BLOCKS, THREADS, 0, s>>>(d_in + at, d_out + at);
            cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, s);
            cudaStreamSynchronize(s);
            cudaStreamDestroy(s);
        }));
    }
    for (auto &task : tasks) task.get();
}
