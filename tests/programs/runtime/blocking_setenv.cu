// CUDA_LAUNCH_BLOCKING=1 on the textbook GPU, set in main: every launch lasts its unit for the host too.
// run: THREELANE_MODEL=unit
// out: 3 launches, 3 ms, idle
#include <cstdio>
#include <cstdlib>
#include <ctime>

__global__ void work(int *p) { *p += 1; }
static double now_ms()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

int main()
{
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    int *d, n = 3;
    cudaStream_t s;
    cudaMalloc(&d, sizeof *d);
    cudaMemset(d, 0, sizeof *d);
    cudaDeviceSynchronize();
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    double begin = now_ms();
    for (int i = 0; i < n; i++) work<<<1, 1, 0, s>>>(d);
    double ms = now_ms() - begin;
    printf("%d launches, %g ms, %s\n", n, ms, cudaStreamQuery(s) == cudaSuccess ? "idle" : "busy");
    return 0;
}
