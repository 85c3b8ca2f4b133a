// Set before; atomicExch needs no old value.
__global__ void count(unsigned *n, unsigned *last)
{
    atomicAdd(n, 1u);
    atomicExch(last, threadIdx.x);
}

int main()
{
    unsigned *n, *last, h;
    cudaMalloc(&n, sizeof *n);
    cudaMalloc(&last, sizeof *last);
    cudaMemset(n, 0, sizeof *n);
    count<<<1, 32>>>(n, last);
    cudaMemcpy(&h, n, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(n);
    cudaFree(last);
    return 0;
}
// check: all
