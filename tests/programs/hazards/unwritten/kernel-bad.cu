// A sum starts from what happens to be there.
__global__ void add(int *sum, const int *a) { sum[threadIdx.x] += a[threadIdx.x]; }

int main()
{
    int *sum, *a;
    cudaMalloc(&sum, 64 * sizeof(int));
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMemset(a, 1, 64 * sizeof(int));
    add<<<1, 64>>>(sum, a);
    cudaDeviceSynchronize();
    cudaFree(sum);
    cudaFree(a);
    return 0;
}
// hazard: uninitialised 2
// err: K0 (add) in stream 0 (default stream) reads sum[0..255]
// err: first read by block (0,0,0), thread (0,0,0) of the launch at kernel-bad.cu:10
