// A counter that nobody has set to zero.
__global__ void count(unsigned *n) { atomicAdd(n, 1u); }

int main()
{
    unsigned *n, h;
    cudaMalloc(&n, sizeof *n);
    count<<<1, 32>>>(n);
    cudaMemcpy(&h, n, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(n);
    return 0;
}
// hazard: uninitialised 2
