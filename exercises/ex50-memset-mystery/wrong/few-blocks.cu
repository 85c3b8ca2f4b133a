// caught-by: makespan
// room for a memset, and for much more: the kernel takes longer
#include "ex50.h"

void countBatches(CUdeviceptr values, CUdeviceptr counts, const unsigned *h_values, unsigned *h_counts, int full)
{
    CUfunction kernel;
    CUstream stream[STREAMS], side[STREAMS];
    CUevent cleared[STREAMS], copied[STREAMS];
    cudaGetFuncBySymbol(&kernel, (const void *)count);
    for (int k = 0; k < STREAMS; k++) {
        cuStreamCreate(&stream[k], CU_STREAM_NON_BLOCKING);
        cuStreamCreate(&side[k], CU_STREAM_NON_BLOCKING);
        cuEventCreate(&cleared[k], CU_EVENT_DISABLE_TIMING);         /* they only order */
        cuEventCreate(&copied[k], CU_EVENT_DISABLE_TIMING);
    }

    for (int i = 0; i < STREAMS * ROUNDS; i++) {
        int k = i % STREAMS;
        CUdeviceptr place = values + k * VALUES_BYTES, to = counts + k * COUNTS_BYTES;
        void *arguments[] = {&k, &to};

        if (i >= STREAMS) cuStreamWaitEvent(side[k], copied[k], 0);  /* the last round's results have left */
        cuMemsetD8Async(to, 0, COUNTS_BYTES, side[k]);
        cuEventRecord(cleared[k], side[k]);

        cuMemcpyHtoDAsync(place, h_values + i * VALUES, VALUES_BYTES, stream[k]);
        cuStreamWaitEvent(stream[k], cleared[k], 0);
        cuLaunchKernel(kernel, full / 2, 1, 1, THREADS, 1, 1, 0, stream[k], arguments, NULL);
        cuMemcpyDtoHAsync(h_counts + i * COUNTS, to, COUNTS_BYTES, stream[k]);
        cuEventRecord(copied[k], stream[k]);
        cuLaunchHostFunc(stream[k], received, h_counts + i * COUNTS);
    }

    cuCtxSynchronize();
    for (int k = 0; k < STREAMS; k++) {
        cuEventDestroy(cleared[k]);
        cuEventDestroy(copied[k]);
        cuStreamDestroy(stream[k]);
        cuStreamDestroy(side[k]);
    }
}
