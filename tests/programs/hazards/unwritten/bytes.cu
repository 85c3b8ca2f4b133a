// Both halves are written by different kernels; what a kernel has written itself, it may read.
__global__ void even(char *a) { a[2 * threadIdx.x] = 1; }
__global__ void odd(char *a) { a[2 * threadIdx.x + 1] = a[2 * threadIdx.x]; }
__global__ void copy(const char *a, char *b)
{
    b[threadIdx.x] = a[threadIdx.x];
    b[threadIdx.x] += b[threadIdx.x];
}

int main()
{
    char *a, *b;
    cudaMalloc(&a, 100);
    cudaMalloc(&b, 100);
    even<<<1, 50>>>(a);
    odd<<<1, 50>>>(a);
    copy<<<1, 100>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
// check: all
