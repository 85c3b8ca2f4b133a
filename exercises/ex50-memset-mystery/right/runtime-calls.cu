// The same with the calls of the runtime: a stream, an event and an address belong to both.
#include "ex50.h"

void countBatches(CUdeviceptr values, CUdeviceptr counts, const unsigned *h_values, unsigned *h_counts, int full)
{
    cudaStream_t stream[STREAMS], side[STREAMS];
    cudaEvent_t cleared[STREAMS], copied[STREAMS];
    for (int k = 0; k < STREAMS; k++) {
        cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&side[k], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&cleared[k], cudaEventDisableTiming);         /* they only order */
        cudaEventCreateWithFlags(&copied[k], cudaEventDisableTiming);
    }

    for (int i = 0; i < STREAMS * ROUNDS; i++) {
        int k = i % STREAMS;
        char *place = (char *)values + k * VALUES_BYTES;
        unsigned *to = (unsigned *)(counts + k * COUNTS_BYTES);

        if (i >= STREAMS) cudaStreamWaitEvent(side[k], copied[k], 0);  /* the last round's results have left */
        cudaMemsetAsync(to, 0, COUNTS_BYTES, side[k]);
        cudaEventRecord(cleared[k], side[k]);

        cudaMemcpyAsync(place, h_values + i * VALUES, VALUES_BYTES, cudaMemcpyHostToDevice, stream[k]);
        cudaStreamWaitEvent(stream[k], cleared[k], 0);
        count<<<full - full / 8, THREADS, 0, stream[k]>>>(k, to);
        cudaMemcpyAsync(h_counts + i * COUNTS, to, COUNTS_BYTES, cudaMemcpyDeviceToHost, stream[k]);
        cudaEventRecord(copied[k], stream[k]);
        cudaLaunchHostFunc(stream[k], received, h_counts + i * COUNTS);
    }

    cudaDeviceSynchronize();
    for (int k = 0; k < STREAMS; k++) {
        cudaEventDestroy(cleared[k]);
        cudaEventDestroy(copied[k]);
        cudaStreamDestroy(stream[k]);
        cudaStreamDestroy(side[k]);
    }
}
