// It is set to nothing before.
__global__ void add(int *sum, const int *a) { sum[threadIdx.x] += a[threadIdx.x]; }

int main()
{
    int *sum, *a;
    cudaMalloc(&sum, 64 * sizeof(int));
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMemset(sum, 0, 64 * sizeof(int));
    cudaMemset(a, 1, 64 * sizeof(int));
    add<<<1, 64>>>(sum, a);
    cudaDeviceSynchronize();
    cudaFree(sum);
    cudaFree(a);
    return 0;
}
// check: all
