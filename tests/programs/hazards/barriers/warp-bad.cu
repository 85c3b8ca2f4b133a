// Lanes of one warp wait for each other in different primitives.
__global__ void split(int *a)
{
    if (threadIdx.x < 16)
        a[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
    else
        __syncwarp();
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
// hazard: barrier 5 7
