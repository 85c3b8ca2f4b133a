// The tile is filled again before everybody has read it: the barrier at the end of the loop is missing.
__global__ void sums(const int *in, int *out, int n)
{
    __shared__ int tile[64];
    int sum = 0;
    for (int k = 0; k < n; k++) {
        tile[threadIdx.x] = in[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++)
            sum += tile[i];
    }
    out[threadIdx.x] = sum;
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 3 * 64 * sizeof(int));
    cudaMemset(in, 0, 3 * 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    sums<<<1, 64>>>(in, out, 3);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
// hazard: shared-race 7 10
// err: in one round of the loop and
// err: put another __syncthreads() after line 10, before the next round
