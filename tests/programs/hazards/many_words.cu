// Threads that share more words than are watched: what races is told, that not all was looked at, too; and a race that
// only a few words have, after many that are ordered by a flag, is found.
// right: -DRIGHT
// hazard: global-race S T
// hazard: global-race U V
// hazard: partly-watched L
#include <cstdio>
enum { N = 1 << 15, MOST = 1920, LAST = MOST + 3 };

__global__ void shifted(int *a, int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;                                       // S
#ifndef RIGHT
    b[i] = a[(i + 1) % N];                          // T
#endif
}

// Block 0 raises the flag before it has written the last words; those of before are in order.
__global__ void handed_over(int *a, unsigned *flag, int *sum)
{
    int i = threadIdx.x;
    if (blockIdx.x == 0) {
        while (i < MOST) a[i] = i, i += blockDim.x;
#ifdef RIGHT
        if (i < LAST) a[i] = i;
#endif
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) atomicExch(flag, 1);
#ifndef RIGHT
        if (i < LAST) a[i] = i;                     // U
#endif
        return;
    }
    while (*(volatile unsigned *)flag == 0) {}
    for (; i < LAST; i += blockDim.x) sum[threadIdx.x] += a[i]; // V
}

int main()
{
    int *a, *b;
    unsigned *flag;
    cudaMalloc(&a, N * sizeof *a);
    cudaMalloc(&b, N * sizeof *b);
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(a, 0, N * sizeof *a);
    cudaMemset(b, 0, N * sizeof *b);
    cudaMemset(flag, 0, sizeof *flag);
    shifted<<<N / 256, 256>>>(a, b);                // L
    cudaMemset(b, 0, N * sizeof *b);
    handed_over<<<2, 32>>>(a, flag, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(flag);
    return 0;
}
