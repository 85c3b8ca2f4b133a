// Threads without an element do nothing.
__global__ void fill(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = (float)n;
}

int main()
{
    float *d_a;
    cudaMalloc(&d_a, 1000 * sizeof *d_a);
    fill<<<4, 256>>>(d_a, 1000);
    cudaDeviceSynchronize();
    cudaFree(d_a);
    return 0;
}
// check: all
