// Loops that only ask end: on an event, a stream, a clock, and on flags that a host function, a copy or a thread sets.
// run: THREELANE_MODEL=h200
// out: ok polls
#include "conformance.h"
#include <pthread.h>

static volatile int told;

static void CUDART_CB tell(void *) { told = 1; }
static void *tell_soon(void *)
{
    timespec soon = {0, 5000000};
    nanosleep(&soon, NULL);
    told = 1;
    return NULL;
}

int main()
{
    const double most = 3 * BUSY;
    int *d, *h;
    double begin;
    cudaStream_t s;
    cudaEvent_t e;
    cudaError_t result;
    pthread_t thread;
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    OK(cudaMalloc(&d, sizeof *d));
    OK(cudaMallocHost(&h, sizeof *h));
    OK(cudaMemset(d, 1, sizeof *d));
    OK(cudaDeviceSynchronize());

    busy(s);
    OK(cudaEventRecord(e, s));
    begin = now_ms();
    while ((result = cudaEventQuery(e)) == cudaErrorNotReady) {
    }
    OK(result);
    CHECK(now_ms() - begin >= WAITED && now_ms() - begin < most);

    busy(s);
    begin = now_ms();
    while ((result = cudaStreamQuery(s)) == cudaErrorNotReady) {
    }
    OK(result);
    CHECK(now_ms() - begin >= WAITED && now_ms() - begin < most);

    busy(s);
    OK(cudaLaunchHostFunc(s, tell, NULL));
    begin = now_ms();
    while (!told) {
    }
    CHECK(now_ms() - begin >= WAITED && now_ms() - begin < most);

    *(volatile int *)h = 0;
    busy(s);
    OK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, s));
    begin = now_ms();
    while (*(volatile int *)h == 0) {
    }
    CHECK(now_ms() - begin >= WAITED && now_ms() - begin < most);
    CHECK(*h == 0x01010101);

    told = 0;
    CHECK(pthread_create(&thread, NULL, tell_soon, NULL) == 0);
    begin = now_ms();
    while (!told) {
    }
    CHECK(now_ms() - begin >= 4 && now_ms() - begin < most);
    CHECK(pthread_join(thread, NULL) == 0);
    return finish("polls");
}
// hazard: host-race 59 64
