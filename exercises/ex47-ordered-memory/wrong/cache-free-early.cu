// caught-by: cache-hazards, on a card: nothing
// the old cache is freed in the stream that grows it, while the reader may still read it
#include "ex47.h"

void preparePool(void)
{
    cudaMemPool_t pool;
    uint64_t keep = UINT64_MAX;                                     /* 64 bits: the attribute is read as that */
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
}

void serveRequests(const float *h_in, float *h_out)
{
    cudaStream_t stream[STREAMS];
    for (int k = 0; k < STREAMS; k++) cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);

    for (int i = 0; i < REQUESTS; i++) {
        cudaStream_t mine = stream[i % STREAMS];
        size_t at = (size_t)i * REQUEST_FLOATS;
        float *scratch;
        cudaMallocAsync((void **)&scratch, REQUEST_BYTES(i), mine);
        cudaMemcpyAsync(scratch, h_in + at, REQUEST_BYTES(i), cudaMemcpyHostToDevice, mine);
        K<<<BLOCKS, THREADS, 0, mine>>>(scratch, i);
        cudaMemcpyAsync(h_out + at, scratch, REQUEST_BYTES(i), cudaMemcpyDeviceToHost, mine);
        cudaFreeAsync(scratch, mine);                               /* behind the copy: it is in the same stream */
    }

    cudaDeviceSynchronize();
    for (int k = 0; k < STREAMS; k++) cudaStreamDestroy(stream[k]);
}

void growCache(const float *tokens, float *sums)
{
    cudaStream_t stream, reader;
    cudaEvent_t appended, grown;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&reader, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&appended, cudaEventDisableTiming);    /* they only order */
    cudaEventCreateWithFlags(&grown, cudaEventDisableTiming);

    float *cache;
    cudaMallocAsync((void **)&cache, PART * sizeof(float), stream);
    for (int s = 0; s <= GROWTHS; s++) {
        append<<<BLOCKS, THREADS, 0, stream>>>(cache, tokens, s);
        cudaEventRecord(appended, stream);
        cudaStreamWaitEvent(reader, appended, 0);
        summary<<<BLOCKS, THREADS, 0, reader>>>(sums, cache, s);
        if (s == GROWTHS) break;

        float *larger;
        cudaMallocAsync((void **)&larger, (s + 2) * PART * sizeof(float), stream);
        grow<<<BLOCKS, THREADS, 0, stream>>>(larger, cache, s);
        cudaFreeAsync(cache, stream);
        cache = larger;
    }
    cudaFreeAsync(cache, reader);

    cudaDeviceSynchronize();
    cudaEventDestroy(appended);
    cudaEventDestroy(grown);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(reader);
}
