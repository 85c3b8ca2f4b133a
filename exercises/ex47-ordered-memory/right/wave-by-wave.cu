// as many requests as there are streams at a time, stage by stage
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

    for (int first = 0; first < REQUESTS; first += STREAMS) {
        int n = REQUESTS - first < STREAMS ? REQUESTS - first : STREAMS;
        const float *in = h_in + (size_t)first * REQUEST_FLOATS;
        float *scratch[STREAMS], *out = h_out + (size_t)first * REQUEST_FLOATS;
        for (int k = 0; k < n; k++) cudaMallocAsync((void **)&scratch[k], REQUEST_BYTES(first + k), stream[k]);
        for (int k = 0; k < n; k++)
            cudaMemcpyAsync(scratch[k], in + (size_t)k * REQUEST_FLOATS, REQUEST_BYTES(first + k), cudaMemcpyHostToDevice,
                            stream[k]);
        for (int k = 0; k < n; k++) K<<<BLOCKS, THREADS, 0, stream[k]>>>(scratch[k], first + k);
        for (int k = 0; k < n; k++)
            cudaMemcpyAsync(out + (size_t)k * REQUEST_FLOATS, scratch[k], REQUEST_BYTES(first + k), cudaMemcpyDeviceToHost,
                            stream[k]);
        for (int k = 0; k < n; k++) cudaFreeAsync(scratch[k], stream[k]);
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
        cudaEventRecord(grown, stream);
        cudaStreamWaitEvent(reader, grown, 0);
        cudaFreeAsync(cache, reader);                               /* behind both who read it: summary and grow */
        cache = larger;
    }
    cudaFreeAsync(cache, reader);

    cudaDeviceSynchronize();
    cudaEventDestroy(appended);
    cudaEventDestroy(grown);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(reader);
}
