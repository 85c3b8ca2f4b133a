// A kernel uses memory that is gone.
__global__ void add(int *a) { a[threadIdx.x] += 1; }

int main()
{
    int *d;
    cudaMalloc(&d, 32 * sizeof *d);
    cudaMemset(d, 0, 32 * sizeof *d);
    cudaFree(d);
    add<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    return 0;
}
// hazard: use-after-free 9 2
