// The values are copied in the side streams, and the memsets stay: each right behind the copy back.
#include "ex50.h"

void countBatches(CUdeviceptr values, CUdeviceptr counts, const unsigned *h_values, unsigned *h_counts, int full)
{
    CUfunction kernel;
    CUstream stream[STREAMS], side[STREAMS];
    CUevent arrived[STREAMS], counted[STREAMS];
    cudaGetFuncBySymbol(&kernel, (const void *)count);
    for (int k = 0; k < STREAMS; k++) {
        cuStreamCreate(&stream[k], CU_STREAM_NON_BLOCKING);
        cuStreamCreate(&side[k], CU_STREAM_NON_BLOCKING);
        cuEventCreate(&arrived[k], CU_EVENT_DISABLE_TIMING);         /* they only order */
        cuEventCreate(&counted[k], CU_EVENT_DISABLE_TIMING);
    }

    for (int i = 0; i < STREAMS * ROUNDS; i++) {
        int k = i % STREAMS;
        CUdeviceptr place = values + k * VALUES_BYTES, to = counts + k * COUNTS_BYTES;
        void *arguments[] = {&k, &to};

        if (i >= STREAMS) cuStreamWaitEvent(side[k], counted[k], 0);         /* the place has been read */
        cuMemcpyHtoDAsync(place, h_values + i * VALUES, VALUES_BYTES, side[k]);
        cuEventRecord(arrived[k], side[k]);

        cuMemsetD8Async(to, 0, COUNTS_BYTES, stream[k]);
        cuStreamWaitEvent(stream[k], arrived[k], 0);
        cuLaunchKernel(kernel, full - full / 8, 1, 1, THREADS, 1, 1, 0, stream[k], arguments, NULL);   /* room for a memset */
        cuEventRecord(counted[k], stream[k]);
        cuMemcpyDtoHAsync(h_counts + i * COUNTS, to, COUNTS_BYTES, stream[k]);
        cuLaunchHostFunc(stream[k], received, h_counts + i * COUNTS);
    }

    cuCtxSynchronize();
    for (int k = 0; k < STREAMS; k++) {
        cuEventDestroy(arrived[k]);
        cuEventDestroy(counted[k]);
        cuStreamDestroy(stream[k]);
        cuStreamDestroy(side[k]);
    }
}
