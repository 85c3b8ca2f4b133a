// ex43 fail|crashed: .
// Registers memory that is not its own, or that does not exist: code, stack, the output once more, sizes that wrap.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    int here;
    cudaHostRegister((void *)((unsigned long)&asyncPipeline & ~4095ul), 4096, 0);
    cudaHostRegister((void *)((unsigned long)&here & ~4095ul), 1 << 20, 0);
    cudaHostRegister(h_out, (size_t)1 << 40, 0);
    cudaHostRegister(h_out, (size_t)-4096, 0);
    cudaHostRegister((void *)4096, (size_t)-8192, 0);
    cudaHostRegister((void *)-4096l, 1 << 20, 0);
    cudaHostUnregister(h_out);
    cudaHostUnregister(&here);
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
