// ex43 over limit|timed out: .
// alone
// Twenty thousand threads, one after the other, each with a call.
#include <thread>
#include "ex43.h"


void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < 20000; i++) std::thread([] { cudaGetLastError(); cudaStreamQuery(cudaStreamPerThread); }).join();
    /* TODO: This is right, but only one of the three lanes is ever busy. Reach this instead: while batch i computes,
     * batch i+1 arrives and batch i-1 goes back, so that BATCHES batches take BATCHES + 2 units and not
     * 3 * BATCHES. Give each batch a stream of its own, and return only when everything has arrived. */
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
