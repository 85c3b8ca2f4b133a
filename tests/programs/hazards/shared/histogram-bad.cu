// Counters are cleared, and counted up, without a barrier between; some are not counted atomically.
__global__ void count(const unsigned char *in, int *out)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    atomicAdd(&bins[in[threadIdx.x] % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}

int main()
{
    unsigned char *in;
    int *out;
    cudaMalloc(&in, 64);
    cudaMemset(in, 3, 64);
    cudaMalloc(&out, 8 * sizeof *out);
    count<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
// hazard: shared-race 6 7
