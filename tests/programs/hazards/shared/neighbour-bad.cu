// A thread reads what its neighbour wrote, and no barrier is between.
__global__ void shift(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}

int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    shift<<<2, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// hazard: shared-race 5 6
// err: tile: 256 bytes of shared memory
