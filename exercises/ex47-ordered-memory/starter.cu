/* Exercise 47: stream-ordered memory. What you may rely on is in ex47.h; the lesson is `make ex47-lesson`. */
#include "ex47.h"

void preparePool(void)
{
    /* TODO, last: The device's pool gives all that is free back at each synchronization, and has to grow again in the
     * next round. cudaDeviceGetDefaultMemPool finds it, cudaMemPoolSetAttribute changes what it keeps. */
}

void serveRequests(const float *h_in, float *h_out)
{
    /* TODO: The results are right, but the host waits in each cudaFree until the device has nothing to do, so requests run
     * one after the other. Take and free the scratch memory in the request's own stream. */
    cudaStream_t stream[STREAMS];
    for (int k = 0; k < STREAMS; k++) cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);

    for (int i = 0; i < REQUESTS; i++) {
        cudaStream_t mine = stream[i % STREAMS];
        size_t at = (size_t)i * REQUEST_FLOATS;
        float *scratch;
        cudaMalloc((void **)&scratch, REQUEST_BYTES(i));
        cudaMemcpyAsync(scratch, h_in + at, REQUEST_BYTES(i), cudaMemcpyHostToDevice, mine);
        K<<<BLOCKS, THREADS, 0, mine>>>(scratch, i);
        cudaMemcpyAsync(h_out + at, scratch, REQUEST_BYTES(i), cudaMemcpyDeviceToHost, mine);
        cudaFree(scratch);
    }

    cudaDeviceSynchronize();
    for (int k = 0; k < STREAMS; k++) cudaStreamDestroy(stream[k]);
}

void growCache(const float *tokens, float *sums)
{
    /* TODO: The same here. Who still reads the old cache when it is to be freed? cudaFree waits for everybody; a free in a
     * stream waits for what is in that stream before it, and for no one else. */
    cudaStream_t stream, reader;
    cudaEvent_t appended;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&reader, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&appended, cudaEventDisableTiming);

    float *cache;
    cudaMalloc((void **)&cache, PART * sizeof(float));
    for (int s = 0; s <= GROWTHS; s++) {
        append<<<BLOCKS, THREADS, 0, stream>>>(cache, tokens, s);
        cudaEventRecord(appended, stream);
        cudaStreamWaitEvent(reader, appended, 0);
        summary<<<BLOCKS, THREADS, 0, reader>>>(sums, cache, s);
        if (s == GROWTHS) break;

        float *larger;
        cudaMalloc((void **)&larger, (s + 2) * PART * sizeof(float));
        grow<<<BLOCKS, THREADS, 0, stream>>>(larger, cache, s);
        cudaFree(cache);
        cache = larger;
    }
    cudaFree(cache);

    cudaDeviceSynchronize();
    cudaEventDestroy(appended);
    cudaStreamDestroy(stream);
    cudaStreamDestroy(reader);
}
