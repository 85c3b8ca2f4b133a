// A kernel's last threads write past the end: the guard is missing.
__global__ void fill(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = (float)n;
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
// hazard: out-of-bounds 5
// err: K0 (fill) in stream 0 (default stream) writes d_a[4000..4003]
// err: the block ends right before
// err: fix: check the index before the access, or allocate more
