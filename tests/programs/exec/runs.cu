// Stores that one thread makes beside the one before it are noted together: their values, what atomic operations, fences
// and second stores make of them, and that nobody sees more of them than those
// before the kernel has ended.
// hazard: race A B
// check: race
// out: values 0 0 0 0, seen early 0
#include <cstdio>
#include <cuda_runtime.h>

enum { N = 1 << 14, KERNELS = 4, PAGE = 4096 };

__global__ void rows(int kind, int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (kind == 0 && i == 100) atomicExch(&p[700], 7);
    p[i] = i;
    if (kind == 1 && i % 3 == 0) atomicAdd(&p[i], 5);
    if (kind == 2) {
        if (i % 64 == 63) __threadfence();
        p[i] += 7;
    }
    if (kind == 3) {
        if (i % 5 == 0) p[i] = -1;
        if (i % 256 == 9) atomicExch(&p[i], 3);
        p[i] += 2;
    }
}
static int want(int kind, int i)
{
    if (kind == 1) return i % 3 == 0 ? i + 5 : i;
    if (kind == 2) return i + 7;
    if (kind == 3) return (i % 256 == 9 ? 3 : i % 5 == 0 ? -1 : i) + 2;
    return i;
}

int main()
{
    int *p, wrong[KERNELS] = {}, early = 0;
    int *now;
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaMallocHost(&now, N * sizeof *now);
    cudaMalloc(&p, N * sizeof *now + PAGE);     // whole pages
    p = (int *)(((size_t)p + PAGE - 1) / PAGE * PAGE);
    for (int kind = 0; kind < KERNELS; kind++) {
        cudaMemset(p, 0xff, N * sizeof *now);
        cudaDeviceSynchronize();
        if (kind) rows<<<N / 256, 256, 0, one>>>(kind, p, N - kind);
        if (kind == 0) {        // it ends after the kernel has begun, and before its end
            cudaMemcpyAsync(now, p, 4096, cudaMemcpyDeviceToHost, two);     // A
            rows<<<N / 256, 256, 0, one>>>(kind, p, N);      // B
            cudaStreamSynchronize(two);
            for (int i = 0; i < 1024; i++) early += now[i] != (i == 700 ? 7 : -1);
        }
        cudaDeviceSynchronize();
        cudaMemcpy(now, p, N * sizeof *now, cudaMemcpyDeviceToHost);
        for (int i = 0; i < N - kind; i++) wrong[kind] += now[i] != want(kind, i);
        for (int i = N - kind; i < N; i++) wrong[kind] += now[i] != -1;
    }
    printf("values %d %d %d %d, seen early %d\n", wrong[0], wrong[1], wrong[2], wrong[3], early);
    return cudaGetLastError();
}
