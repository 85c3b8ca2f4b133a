// A running kernel sees what others store meanwhile: another kernel, a copy, the host; and the host sees it.
// run: THREELANE_MODEL=h200
// out: ok flags
#include "conformance.h"

__global__ void wait_for(volatile int *flag, volatile int *answer)
{
    while (*flag == 0) {
    }
    *answer = *flag + 1;
    __threadfence_system();
}
__global__ void raise(volatile int *flag, int value) { *flag = value; }

int main()
{
    int *flag, *mapped, *answer, *five;
    cudaStream_t s, t;
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaMalloc(&flag, sizeof *flag));
    OK(cudaMallocHost(&mapped, sizeof *mapped));
    OK(cudaMallocHost(&answer, sizeof *answer));
    OK(cudaMallocHost(&five, sizeof *five));
    *five = 5;
    raise<<<1, 1, 0, s>>>(flag, 1);
    wait_for<<<1, 1, 0, s>>>(flag, answer);
    OK(cudaStreamSynchronize(s));
    CHECK(*answer == 2);
    OK(cudaMemset(flag, 0, sizeof *flag));
    OK(cudaDeviceSynchronize());

    wait_for<<<1, 1, 0, s>>>(flag, answer);           // another kernel
    raise<<<1, 1, 0, t>>>(flag, 3);
    OK(cudaStreamSynchronize(s));
    CHECK(*answer == 4);

    OK(cudaMemsetAsync(flag, 0, sizeof *flag, t));    // a copy
    OK(cudaStreamSynchronize(t));
    wait_for<<<1, 1, 0, s>>>(flag, answer);
    OK(cudaMemcpyAsync(flag, five, sizeof *flag, cudaMemcpyHostToDevice, t));
    OK(cudaStreamSynchronize(s));
    CHECK(*answer == 6);

    *(volatile int *)mapped = 0;                      // the host, both ways
    *(volatile int *)answer = 0;
    wait_for<<<1, 1, 0, s>>>(mapped, answer);
    IS(cudaErrorNotReady, cudaStreamQuery(s));
    *(volatile int *)mapped = 7;
    while (*(volatile int *)answer == 0) {
    }
    CHECK(*answer == 8);
    OK(cudaStreamSynchronize(s));
    return finish("flags");
}
// hazard: host-race 48 53
