/* Exercise 42: async memcpy & pinned memory. What you may rely on is in ex42.h; the lesson is `make ex42-lesson`. */
#include <stdlib.h>
#include "ex42.h"

double sendPageable(float *d_data)
{
    float *h_data = (float *)malloc(TRANSFER_BYTES);
    fillTransfer(h_data);
    cudaMemcpy(d_data, h_data, TRANSFER_BYTES, cudaMemcpyHostToDevice);
    free(h_data);
    return 0.0;                  /* TODO: measure the copy, return its bandwidth in GB/s */
}

double sendPinned(float *d_data)
{
    /* TODO: the same from pinned memory, with a copy that does not stop the host; measured as well. */
    float *h_data = (float *)malloc(TRANSFER_BYTES);
    fillTransfer(h_data);
    cudaMemcpy(d_data, h_data, TRANSFER_BYTES, cudaMemcpyHostToDevice);
    free(h_data);
    return 0.0;
}

void sendChunks(float *d_chunks)
{
    /* TODO: The buffer is refilled while it is still being sent, so wrong data arrive. Reach this: chunk i + 1 is
     * prepared while chunk i is copied, and no buffer is touched before its copy has ended. */
    float *buffer;
    cudaStream_t stream;
    cudaMallocHost((void **)&buffer, CHUNK_BYTES);
    cudaStreamCreate(&stream);

    for (int i = 0; i < CHUNKS; i++) {
        prepareChunk(buffer, i);
        cudaMemcpyAsync(d_chunks + (size_t)i * CHUNK_FLOATS, buffer, CHUNK_BYTES, cudaMemcpyHostToDevice, stream);
    }

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFreeHost(buffer);
}
