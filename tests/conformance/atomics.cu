// Two kernels at once that count with atomicAdd: both count, on the device and in mapped memory.
// run: THREELANE_MODEL=h200
// out: ok atomics
#include "conformance.h"

__global__ void count(int *n, int *mapped, long long ns)
{
    unsigned long long begin = timer_ns();
    for (int i = 0; i < 100; i++) atomicAdd(n, 1);
    if (threadIdx.x == 0) atomicAdd_system(mapped, 1);
    while ((long long)(timer_ns() - begin) < ns) {
    }
    atomicAdd(n, 1);
}

int main()
{
    int *n, *mapped, result;
    cudaStream_t s[2];
    warm_up();
    OK(cudaMalloc(&n, sizeof *n));
    OK(cudaMemset(n, 0, sizeof *n));
    OK(cudaDeviceSynchronize());
    OK(cudaMallocHost(&mapped, sizeof *mapped));
    *mapped = 0;
    for (cudaStream_t &stream : s) OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    count<<<1, 64, 0, s[0]>>>(n, mapped, 0);
    OK(cudaDeviceSynchronize());
    OK(cudaMemset(n, 0, sizeof *n));
    OK(cudaDeviceSynchronize());
    *mapped = 0;
    double begin = now_ms();
    for (cudaStream_t &stream : s) count<<<4, 64, 0, stream>>>(n, mapped, 20000000);
    OK(cudaDeviceSynchronize());
    CHECK(now_ms() - begin < 2 * BUSY - 5);           // they did run at once
    OK(cudaMemcpy(&result, n, sizeof result, cudaMemcpyDeviceToHost));
    CHECK(result == 2 * 4 * 64 * 101);
    CHECK(*mapped == 2 * 4);
    return finish("atomics");
}
