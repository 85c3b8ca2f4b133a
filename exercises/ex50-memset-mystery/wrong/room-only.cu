// caught-by: makespan
// a grid that leaves room, and the memset still between the copy and the kernel: 9 units
#include "ex50.h"

void countBatches(CUdeviceptr values, CUdeviceptr counts, const unsigned *h_values, unsigned *h_counts, int full)
{
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
        cuLaunchKernel(kernel, full - full / 8, 1, 1, THREADS, 1, 1, 0, stream[k], arguments, NULL);
        cuMemcpyDtoHAsync(h_counts + i * COUNTS, to, COUNTS_BYTES, stream[k]);
        cuLaunchHostFunc(stream[k], received, h_counts + i * COUNTS);
    }

    cuCtxSynchronize();
    for (int k = 0; k < STREAMS; k++) cuStreamDestroy(stream[k]);
}
