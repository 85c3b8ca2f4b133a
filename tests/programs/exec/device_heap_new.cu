// out: 36
// status: 96
// err: device_heap_new.cu:14: the kernel fill calls new: memory that a kernel allocates is not simulated; allocate it before the launch, with cudaMalloc
#include <stdio.h>
#include <stdlib.h>
#include <vector>

__device__ int *kept;
__device__ int total;

__global__ void fill()
{
    if (threadIdx.x == 0) {
        kept = new int[8];
    }
    __syncthreads();
    kept[threadIdx.x] = threadIdx.x;
}

int main()
{
    std::vector<int> v;               /* new and malloc in host code stay what they are */
    for (int i = 0; i < 9; i++) v.push_back(i);
    int *one = new int(0), *more = (int *)malloc(9 * sizeof *more);
    for (int i = 0; i < 9; i++) *one += more[i] = v[i];
    printf("%d\n", *one);
    delete one;
    free(more);
    fflush(stdout);
    fill<<<1, 8>>>();
    cudaDeviceSynchronize();
}
