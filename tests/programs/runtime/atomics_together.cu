// Two kernels at once counting with atomicAdd: both count; and plain stores of a kernel are seen only at its end.
// run: THREELANE_MODEL=h200
// out: 2000 0 1
#include <cstdio>
__global__ void count(int *n)
{
    for (int i = 0; i < 100; i++) atomicAdd(n, 1);
}
__global__ void store(int *p)
{
    *p = 1;
    long long begin = clock64();
    while (clock64() - begin < 20000000) {
    }
}
int main()
{
    int *n, h, *mapped;
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&n, sizeof *n);
    cudaMallocHost(&mapped, sizeof *mapped);
    cudaMemset(n, 0, sizeof *n);
    cudaDeviceSynchronize();
    count<<<2, 5, 0, s>>>(n);
    count<<<2, 5, 0, t>>>(n);
    cudaDeviceSynchronize();
    cudaMemcpy(&h, n, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d ", h);
    *mapped = 0;
    store<<<1, 1, 0, s>>>(mapped);
    cudaStreamQuery(t);
    printf("%d ", *(volatile int *)mapped);
    cudaStreamSynchronize(s);
    printf("%d\n", *mapped);
    return 0;
}
// hazard: host-race 32 34
