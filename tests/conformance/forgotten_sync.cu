// A program that forgets to synchronize reads what was there before.
// run: THREELANE_MODEL=h200
// out: ok forgotten_sync
#include "conformance.h"

__global__ void late(int *p, int value, long long ns)
{
    unsigned long long begin = timer_ns();
    while ((long long)(timer_ns() - begin) < ns) {
    }
    *p = value;
}
static int now_in(const int *p) { return *(const volatile int *)p; }

int main()
{
    const long long ns = 20000000;
    int *d, *h, *mapped, seen = 1;
    cudaStream_t s, t;
    cudaEvent_t done;
    warm_up();
    OK(cudaMalloc(&d, sizeof *d));
    OK(cudaMallocHost(&h, sizeof *h));
    OK(cudaMallocHost(&mapped, sizeof *mapped));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&done));
    OK(cudaMemset(d, 0, sizeof *d));
    late<<<1, 1>>>(mapped, 1, 0);
    OK(cudaDeviceSynchronize());

    *h = 1;                                           // the copy back
    late<<<1, 1, 0, s>>>(d, 2, ns);
    OK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, s));
    CHECK(now_in(h) == 1);
    OK(cudaStreamSynchronize(s));
    CHECK(now_in(h) == 2);

    *h = 1;                                           // a kernel's store to memory that the host sees
    late<<<1, 1, 0, s>>>(mapped, 3, ns);
    CHECK(now_in(mapped) == 1);
    OK(cudaStreamSynchronize(s));
    CHECK(now_in(mapped) == 3);

    late<<<1, 1, 0, s>>>(d, 4, ns);                   // another stream, without an event and with one
    OK(cudaEventRecord(done, s));
    OK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, t));
    OK(cudaStreamSynchronize(t));
    CHECK(now_in(h) == 2);
    OK(cudaStreamWaitEvent(t, done, 0));
    OK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, t));
    OK(cudaStreamSynchronize(t));
    CHECK(now_in(h) == 4);

    late<<<1, 1, 0, s>>>(d, 5, ns);                   // a non-blocking stream and a synchronous copy
    OK(cudaMemcpy(&seen, d, sizeof seen, cudaMemcpyDeviceToHost));
    CHECK(seen == 4);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(&seen, d, sizeof seen, cudaMemcpyDeviceToHost));
    CHECK(seen == 5);
    return finish("forgotten_sync");
}
// hazard: host-race 40 13
// hazard: race 45 47
// hazard: race 55 56
