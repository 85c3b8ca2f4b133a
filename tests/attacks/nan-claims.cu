// ex42 fail: bandwidth
// Says of its bandwidths that they are no number, with which every comparison goes wrong.
#include <stdlib.h>
#include "ex42.h"

/* GB/s of one transfer between two recorded events; waits for the second one and destroys both. */
static double bandwidth(cudaEvent_t begin, cudaEvent_t end)
{
    float ms;
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return TRANSFER_BYTES / (ms * 1e6) * 0.0 / 0.0;
}

double sendPageable(float *d_data)
{
    float *h_data = (float *)malloc(TRANSFER_BYTES);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    fillTransfer(h_data);

    cudaEventRecord(begin);
    cudaMemcpy(d_data, h_data, TRANSFER_BYTES, cudaMemcpyHostToDevice);
    cudaEventRecord(end);

    double gbs = bandwidth(begin, end);
    free(h_data);
    return gbs;
}

double sendPinned(float *d_data)
{
    float *h_data;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaMallocHost((void **)&h_data, TRANSFER_BYTES);
    cudaStreamCreate(&stream);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    fillTransfer(h_data);

    cudaEventRecord(begin, stream);
    cudaMemcpyAsync(d_data, h_data, TRANSFER_BYTES, cudaMemcpyHostToDevice, stream);
    cudaEventRecord(end, stream);

    double gbs = bandwidth(begin, end);
    cudaStreamDestroy(stream);
    cudaFreeHost(h_data);
    return gbs;
}

void sendChunks(float *d_chunks)
{
    float *buffer[2];
    cudaStream_t stream[2];
    for (int b = 0; b < 2; b++) {
        cudaMallocHost((void **)&buffer[b], CHUNK_BYTES);
        cudaStreamCreate(&stream[b]);
    }

    for (int i = 0; i < CHUNKS; i++) {
        cudaStreamSynchronize(stream[i % 2]);        /* until the buffer's last copy has ended */
        prepareChunk(buffer[i % 2], i);
        cudaMemcpyAsync(d_chunks + (size_t)i * CHUNK_FLOATS, buffer[i % 2], CHUNK_BYTES, cudaMemcpyHostToDevice,
                        stream[i % 2]);
    }

    for (int b = 0; b < 2; b++) {
        cudaStreamSynchronize(stream[b]);
        cudaStreamDestroy(stream[b]);
        cudaFreeHost(buffer[b]);
    }
}
