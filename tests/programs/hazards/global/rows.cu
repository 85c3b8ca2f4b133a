// Threads that go through memory side by side, each a word beside that of the thread before: what one of them does besides
// is found, whether the word's row comes before or after it.
// hazard: global-race A B
// hazard: global-race C D
// hazard: global-race E F
// hazard: global-race G H
// hazard: global-race I J
// hazard: global-race K K
#include <cuda_runtime.h>

enum { N = 512, PAGE = 4096, ONE = 50, OTHER = 200 };

__global__ void stored_before(int *p)
{
    int i = threadIdx.x;
    if (i == ONE) p[OTHER] = 1;     // A
    p[i] = i;       // B
}
__global__ void changed(int *p)
{
    int i = threadIdx.x;
    if (i == ONE) p[OTHER] = 1;     // C
    p[i] += i;      // D
    __syncthreads();
    if (i == ONE) p[N] = 1;
}
__global__ void read_after(int *p, int *sum)
{
    int i = threadIdx.x;
    p[i] = i;       // E
    if (i == OTHER) *sum = p[ONE];  // F
}
__global__ void atomic_after(int *p)
{
    int i = threadIdx.x;
    p[i] = i;       // G
    if (i == OTHER) atomicAdd(&p[ONE], 1);      // H
}
__global__ void read_row(int *p, int *sum)
{
    int i = threadIdx.x;
    p[i] += 1;
    __syncthreads();
    if (i == ONE) p[OTHER] = 7;         // I
    int v = p[i];       // J
    if (v == 12345) sum[1] = i;
}
/* the last word of a block's row is the first one of the next block's */
__global__ void overlap(int *p)
{
    int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    p[i] += 1;      // K
}
/* nothing is wrong */
__global__ void twice(int *p)
{
    int i = threadIdx.x;
    p[i] = i;
    p[i] += 1;
    __syncthreads();
    p[i ^ 1] += 2;
    __syncthreads();
    p[N - 1 - i] = 3;
}

int main()
{
    char *memory;
    int *p, *sum;
    cudaMalloc(&sum, 2 * sizeof *sum);
    for (int k = 0; k < 2; k++) {       // not learned yet, and learned
        cudaMalloc(&memory, 3 * PAGE);
        p = (int *)(((size_t)memory + PAGE - 1) / PAGE * PAGE);
        cudaMemset(memory, 0, 3 * PAGE);
        stored_before<<<1, N>>>(p);
        changed<<<1, N>>>(p);
        read_after<<<1, N>>>(p, sum);
        atomic_after<<<1, N>>>(p);
        read_row<<<1, N>>>(p, sum);
        overlap<<<2, N>>>(p);
        twice<<<1, N>>>(p);
        cudaDeviceSynchronize();
        cudaFree(memory);
    }
    cudaFree(sum);
    return cudaGetLastError();
}
