// It does.
__global__ void turn(int *out)
{
    extern __shared__ int all[];
    all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[63 - threadIdx.x];
}

int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    turn<<<1, 64, 64 * sizeof(int)>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
