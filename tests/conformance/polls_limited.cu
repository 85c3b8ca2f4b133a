// A kernel that waits for the host, but not for ever: it sees what the host writes some calls later, long before its time is up;
// and where nobody writes, its time is up when it said.
// out: ok polls_limited
#include "conformance.h"

enum { CALLS = 20 };

__global__ void wait_for(volatile int *flag, long long ns, int *seen, long long *waited)
{
    unsigned long long begin = timer_ns(), now = begin;
    while (now - begin < (unsigned long long)ns && !*flag) now = timer_ns();
    *seen = *flag;
    *waited = (long long)(now - begin);
}

int main()
{
    const long long limit = 20 * 1000 * 1000;
    volatile int *flag;
    int *seen;
    long long *waited;
    cudaStream_t s, t;
    cudaEvent_t event;
    warm_up();
    OK(cudaMallocHost((void **)&flag, sizeof *flag));
    OK(cudaMallocHost(&seen, 2 * sizeof *seen));
    OK(cudaMallocHost(&waited, 2 * sizeof *waited));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&event));

    *flag = 0;
    wait_for<<<1, 1, 0, s>>>(flag, limit, seen, waited);
    for (int i = 0; i < CALLS; i++) OK(cudaEventRecord(event, t));
    *flag = 1;
    OK(cudaStreamSynchronize(s));
    CHECK(seen[0] == 1 && waited[0] < limit / 2);

    *flag = 0;
    wait_for<<<1, 1, 0, s>>>(flag, limit, seen, waited);
    OK(cudaStreamSynchronize(s));
    CHECK(seen[0] == 0 && waited[0] >= limit && waited[0] < 2 * limit);

    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(t));
    OK(cudaFreeHost((void *)flag));
    OK(cudaFreeHost(seen));
    OK(cudaFreeHost(waited));
    return finish("polls_limited");
}
