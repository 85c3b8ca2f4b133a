// A barrier after the writes.
__global__ void shift(int *out)
{
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[(threadIdx.x + 1) % 64];
}

int main()
{
    int *d;
    cudaMalloc(&d, 128 * sizeof *d);
    shift<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
