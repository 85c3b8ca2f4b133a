// Freed behind the last use.
__global__ void add(int *a) { a[threadIdx.x] += 1; }

int main()
{
    int *d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocAsync(&d, 32 * sizeof *d, s);
    cudaMemsetAsync(d, 0, 32 * sizeof *d, s);
    add<<<1, 32, 0, s>>>(d);
    cudaFreeAsync(d, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    return 0;
}
// check: all
