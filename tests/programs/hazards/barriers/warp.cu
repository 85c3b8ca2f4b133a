// Each names those who come.
__global__ void split(int *a)
{
    if (threadIdx.x < 16)
        a[threadIdx.x] = __shfl_sync(0xffffu, 1, 0);
    else
        __syncwarp(0xffff0000u);
}

int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    split<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
