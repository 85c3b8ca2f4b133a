// Which calls of allocation and lifetime wait for a busy device.
// run: THREELANE_MODEL=h200
// out: ok allocation
#include "conformance.h"

int main()
{
    static char plain[1 << 20], other[1 << 20];
    void *d, *d2, *h, *h2, *p, *p2;
    int *flag;
    cudaStream_t s, q, t;
    cudaEvent_t e;
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking));
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaMallocHost(&h, 1 << 20));
    OK(cudaMallocHost(&flag, sizeof *flag));
    OK(cudaHostRegister(plain, sizeof plain, 0));
    OK(cudaMallocAsync(&p, 1 << 20, q));      // grows the pool
    OK(cudaMallocAsync(&p2, 1 << 20, q));
    OK(cudaStreamSynchronize(q));

    busy(s, 50);
    RETURNS_AT_ONCE(cudaMalloc(&d2, 1 << 20));
    TAKES(0, 15, cudaMallocHost(&h2, 1 << 20));
    RETURNS_AT_ONCE(cudaHostRegister(other, sizeof other, 0));
    RETURNS_AT_ONCE(cudaFreeAsync(p, q));
    RETURNS_AT_ONCE(cudaFree(p2));            // memory from a pool: never waits
    RETURNS_AT_ONCE(cudaMallocAsync(&p, 1 << 20, q));
    RETURNS_AT_ONCE(cudaStreamCreate(&t));
    RETURNS_AT_ONCE(cudaFree(NULL));
    RETURNS_AT_ONCE(cudaFreeHost(NULL));
    IS(cudaErrorNotReady, cudaStreamQuery(s));
    OK(cudaStreamSynchronize(s));

    // Blocking streams: allocation is no synchronization with them either.
    void *d3, *h3;
    cudaStream_t blocking;
    OK(cudaStreamCreate(&blocking));
    busy(blocking);
    RETURNS_AT_ONCE(cudaMalloc(&d3, 1 << 20));
    TAKES(0, 15, cudaMallocHost(&h3, 1 << 20));
    IS(cudaErrorNotReady, cudaStreamQuery(blocking));
    WAITS(cudaFree(d3));
    OK(cudaFreeHost(h3));

    busy(s);
    WAITS(cudaFree(d));
    busy(s);
    WAITS(cudaFreeHost(h));
    busy(s);
    WAITS(cudaHostUnregister(plain));

    // A stream that is destroyed, and an event, let their work finish.
    *flag = 0;
    OK(cudaMemset(d2, 0, sizeof *flag));
    OK(cudaMemset(d2, 1, 1));
    OK(cudaDeviceSynchronize());
    OK(cudaEventCreate(&e));
    busy(t);
    OK(cudaMemcpyAsync(flag, d2, sizeof *flag, cudaMemcpyDeviceToHost, t));
    OK(cudaEventRecord(e, t));
    RETURNS_AT_ONCE(cudaEventDestroy(e));
    RETURNS_AT_ONCE(cudaStreamDestroy(t));
    CHECK(*(volatile int *)flag == 0);
    WAITS(cudaDeviceSynchronize());
    CHECK(*(volatile int *)flag == 1);
    OK(cudaFreeAsync(p, q));
    OK(cudaFree(d2));
    OK(cudaFreeHost(h2));
    OK(cudaHostUnregister(other));
    return finish("allocation");
}
