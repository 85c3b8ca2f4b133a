// ex42 fail: the host prepares a chunk while the one before it is copied","state":"fail"
// One chunk after the other; beside each copy it prepares the same chunk once more, for nobody.
#include <stdlib.h>
#include "ex42.h"
static double bandwidth(cudaEvent_t begin, cudaEvent_t end)
{
    float ms;
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return TRANSFER_BYTES / (ms * 1e6);
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
    cudaStream_t stream;
    for (int b = 0; b < 2; b++) cudaMallocHost((void **)&buffer[b], CHUNK_BYTES);
    cudaStreamCreate(&stream);
    for (int i = 0; i < CHUNKS; i++) {
        prepareChunk(buffer[0], i);
        cudaMemcpyAsync(d_chunks + (size_t)i * CHUNK_FLOATS, buffer[0], CHUNK_BYTES, cudaMemcpyHostToDevice, stream);
        prepareChunk(buffer[1], i);
        cudaStreamSynchronize(stream);
    }
    cudaStreamDestroy(stream);
    for (int b = 0; b < 2; b++) cudaFreeHost(buffer[b]);
}
