// ex42 fail: the host prepares a chunk while the one before it is copied","state":"fail"
// The same with no byte too many: of each chunk the last 64 bytes are sent beside the next preparation.
#include <stdlib.h>
#include <string.h>
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
    float *buffer, *tail;
    cudaStream_t stream;
    cudaMallocHost((void **)&buffer, CHUNK_BYTES);
    cudaMallocHost((void **)&tail, 64);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < CHUNKS; i++) {
        float *to = d_chunks + (size_t)i * CHUNK_FLOATS;
        prepareChunk(buffer, i);
        cudaStreamSynchronize(stream);
        memcpy(tail, buffer + CHUNK_FLOATS - 16, 64);
        cudaMemcpyAsync(to, buffer, CHUNK_BYTES - 64, cudaMemcpyHostToDevice, stream);
        cudaStreamSynchronize(stream);
        cudaMemcpyAsync(to + CHUNK_FLOATS - 16, tail, 64, cudaMemcpyHostToDevice, stream);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(tail);
    cudaFreeHost(buffer);
}
