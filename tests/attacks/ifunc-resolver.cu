// ex43 crashed|compile error: before its main function began|.
// Is run by the loader while it resolves names, before anything else of the program is there, and ends well.
#include "ex43.h"

extern "C" void chosen(void)
{
}
extern "C" void (*choose(void))(void)
{
    long status;
    __asm__ volatile("syscall" : "=a"(status) : "0"(231L), "D"(0L) : "rcx", "r11", "memory");
    return chosen;
}
extern "C" void picked(void) __attribute__((ifunc("choose")));
void (*use)(void) = picked;


void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
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
