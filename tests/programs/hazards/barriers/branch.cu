// One barrier for all.
__global__ void split(int *a)
{
    a[threadIdx.x] = threadIdx.x < 32 ? 1 : 2;
    __syncthreads();
}

int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    split<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
