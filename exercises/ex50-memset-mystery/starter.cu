/* Exercise 50: the memset mystery. What you may rely on is in ex50.h; the lesson is `make ex50-lesson`. */
#include "ex50.h"

void countBatches(CUdeviceptr values, CUdeviceptr counts, const unsigned *h_values, unsigned *h_counts, int full)
{
    /* TODO: The results are right, everything is asynchronous, and no two stages of the chain overlap with a memset or a
     * kernel of the other stream as they could. Reach this: a stream's memset runs while the other stream's kernel does,
     * and no kernel has to wait for a memset that could have been made earlier. Two things stand in the way: the number of
     * blocks, and the stream that the memset is in. */
    CUfunction kernel;
    CUstream stream[STREAMS];
    cudaGetFuncBySymbol(&kernel, (const void *)count);
    for (int k = 0; k < STREAMS; k++) cuStreamCreate(&stream[k], CU_STREAM_NON_BLOCKING);

    for (int i = 0; i < STREAMS * ROUNDS; i++) {
        int k = i % STREAMS;
        CUdeviceptr place = values + k * VALUES_BYTES, to = counts + k * COUNTS_BYTES;
        void *arguments[] = {&k, &to};

        cuMemcpyHtoDAsync(place, h_values + i * VALUES, VALUES_BYTES, stream[k]);
        cuMemsetD8Async(to, 0, COUNTS_BYTES, stream[k]);
        cuLaunchKernel(kernel, full, 1, 1, THREADS, 1, 1, 0, stream[k], arguments, NULL);
        cuMemcpyDtoHAsync(h_counts + i * COUNTS, to, COUNTS_BYTES, stream[k]);
        cuLaunchHostFunc(stream[k], received, h_counts + i * COUNTS);
    }

    cuCtxSynchronize();
    for (int k = 0; k < STREAMS; k++) cuStreamDestroy(stream[k]);
}
