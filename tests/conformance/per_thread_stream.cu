// --default-stream per-thread: stream 0 is the calling thread's own blocking stream.
// run: THREELANE_MODEL=h200
// flags: --default-stream per-thread
// nvcc: --default-stream per-thread
// out: ok per_thread_stream
#include "conformance.h"
#include <pthread.h>

static unsigned long long *at;

static void *worker(void *slot)
{
    spin<<<1, 1>>>(20000000, (unsigned long long *)slot);
    OK(cudaStreamSynchronize(0));
    return NULL;
}

int main()
{
    unsigned long long h[4];
    pthread_t thread;
    cudaStream_t s;
    warm_up();
    OK(cudaMalloc(&at, sizeof h));

    // Two threads, two default streams: they overlap.
    OK(cudaDeviceSynchronize());
    CHECK(pthread_create(&thread, NULL, worker, at) == 0);
    worker(at + 2);
    CHECK(pthread_join(thread, NULL) == 0);
    OK(cudaMemcpy(h, at, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[0] < h[3] && h[2] < h[1]);

    // A synchronous copy does not wait for other streams, only for the thread's own.
    OK(cudaStreamCreate(&s));
    busy(s);
    RETURNS_AT_ONCE(cudaMemcpy(h, at, 4, cudaMemcpyDeviceToHost));
    IS(cudaSuccess, cudaStreamQuery(0));
    OK(cudaDeviceSynchronize());
    busy(0);
    WAITS(cudaMemcpy(h, at, 4, cudaMemcpyDeviceToHost));

    // It is a stream like others: of the default priority.
    int priority = 1;
    OK(cudaStreamGetPriority(cudaStreamPerThread, &priority));
    CHECK(priority == 0);

    // It still synchronizes with the legacy stream, which has a name of its own.
    busy(cudaStreamLegacy);
    busy(0, 0.1);
    WAITS(cudaStreamSynchronize(cudaStreamPerThread));
    return finish("per_thread_stream");
}
