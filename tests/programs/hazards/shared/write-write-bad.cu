// Every thread writes the same element.
__global__ void last(int *out)
{
    __shared__ int winner;
    winner = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) *out = winner;
}

int main()
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    last<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// hazard: shared-race 5 5
