// Freed when the kernel is done.
__global__ void add(int *a) { a[threadIdx.x] += 1; }

int main()
{
    int *d;
    cudaMalloc(&d, 32 * sizeof *d);
    cudaMemset(d, 0, 32 * sizeof *d);
    add<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
