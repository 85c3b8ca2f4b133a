// Host functions: after the stream's earlier work, before its later work, one at a time, on a thread of the driver's.
// run: THREELANE_MODEL=h200
// out: ok host_functions
#include "conformance.h"
#include <pthread.h>

struct Seen {
    double begin, end;
    pthread_t thread;
    cudaError_t inside, status;
    int value;
    const int *watched;
    double lasts;
};

static void work(Seen *seen)
{
    seen->begin = now_ms();
    seen->thread = pthread_self();
    if (seen->watched) seen->value = *(const volatile int *)seen->watched;
    void *memory;
    seen->inside = cudaMalloc(&memory, 4);
    while (now_ms() - seen->begin < seen->lasts) {
    }
    seen->end = now_ms();
}
static void CUDART_CB function(void *data) { work((Seen *)data); }
static void CUDART_CB empty(void *) {}
static void CUDART_CB callback(cudaStream_t, cudaError_t status, void *data)
{
    ((Seen *)data)->status = status;
    work((Seen *)data);
}

int main()
{
    int *d, *h;
    cudaStream_t s, t;
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaMalloc(&d, sizeof *d));
    OK(cudaMallocHost(&h, sizeof *h));
    *h = 1;
    OK(cudaMemset(d, 0, sizeof *d));
    OK(cudaDeviceSynchronize());

    // Order: after the copy back, and what follows waits.
    Seen a = {};
    a.watched = h;
    a.lasts = 10;
    busy(s);
    OK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, s));
    double begin = now_ms();
    RETURNS_AT_ONCE(cudaLaunchHostFunc(s, function, &a));
    cudaEvent_t e;
    OK(cudaEventCreate(&e));
    OK(cudaEventRecord(e, s));
    OK(cudaEventSynchronize(e));
    double end = now_ms();
    CHECK(a.begin - begin >= WAITED && a.value == 0);
    CHECK(end >= a.end);
    CHECK(a.end - a.begin >= 10);
    CHECK(!pthread_equal(a.thread, pthread_self()));
    CHECK(a.inside == cudaErrorNotPermitted);
    IS(cudaSuccess, cudaGetLastError());              // that was another thread's

    // Two functions in two streams: one after the other, on one thread.
    Seen b = {}, c = {};
    b.lasts = c.lasts = 10;
    OK(cudaLaunchHostFunc(s, function, &b));
    OK(cudaLaunchHostFunc(t, function, &c));
    OK(cudaDeviceSynchronize());
    CHECK(pthread_equal(b.thread, c.thread) && pthread_equal(a.thread, b.thread));
    CHECK(b.end <= c.begin || c.end <= b.begin);

    // Work of other streams goes on beside a function.
    Seen g = {};
    g.lasts = 10;
    OK(cudaLaunchHostFunc(s, function, &g));
    busy(t, 2);
    OK(cudaStreamSynchronize(t));
    IS(cudaErrorNotReady, cudaStreamQuery(s));
    OK(cudaStreamSynchronize(s));

    // What it costs: little from function to function, more from a kernel's end through one to the next kernel.
    const int many = 200;
    begin = now_ms();
    for (int i = 0; i < many; i++) OK(cudaLaunchHostFunc(s, empty, NULL));
    OK(cudaStreamSynchronize(s));
    CHECK(now_ms() - begin < many * 0.05);
    unsigned long long *at, stamps[4];
    OK(cudaMalloc(&at, sizeof stamps));
    spin<<<1, 1, 0, s>>>(1000000, at);
    OK(cudaLaunchHostFunc(s, empty, NULL));
    spin<<<1, 1, 0, s>>>(1000, at + 2);
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(stamps, at, sizeof stamps, cudaMemcpyDeviceToHost));
    CHECK(stamps[2] > stamps[1] + 10000 && stamps[2] < stamps[1] + 3000000);

    // The older callback: the same, and it is told of errors.
    Seen f = {};
    f.status = cudaErrorUnknown;
    busy(s);
    begin = now_ms();
    OK(cudaStreamAddCallback(s, callback, &f, 0));
    OK(cudaStreamSynchronize(s));
    CHECK(f.begin - begin >= WAITED && f.status == cudaSuccess && f.inside == cudaErrorNotPermitted);
    IS(cudaErrorInvalidValue, cudaStreamAddCallback(s, callback, &f, 1));
    IS(cudaErrorInvalidValue, cudaStreamAddCallback(s, NULL, &f, 0));
    IS(cudaErrorInvalidValue, cudaLaunchHostFunc(s, NULL, NULL));
    return finish("host_functions");
}
