// The work that comes after cudaFreeAsync in the same stream finds the memory gone.
__global__ void add(int *a) { a[threadIdx.x] += 1; }

int main()
{
    int *d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocAsync(&d, 32 * sizeof *d, s);
    cudaMemsetAsync(d, 0, 32 * sizeof *d, s);
    cudaFreeAsync(d, s);
    add<<<1, 32, 0, s>>>(d);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    return 0;
}
// hazard: use-after-free 11 2
