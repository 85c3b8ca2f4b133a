// All lanes are named.
__global__ void sum(int *a)
{
    int v = 1;
    v += __shfl_xor_sync(0xffffffffu, v, 1);
    a[threadIdx.x] = v;
}

int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    sum<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
