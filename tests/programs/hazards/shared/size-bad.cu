// The launch does not say how much dynamic shared memory the kernel uses.
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
    turn<<<1, 64, 63 * sizeof(int)>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// hazard: out-of-bounds 5
// err: dynamic shared memory[252..255]
