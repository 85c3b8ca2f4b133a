// Set each time.
__global__ void twice(float *a) { a[threadIdx.x] *= 2; }

int main()
{
    float *a;
    for (int i = 0; i < 2; i++) {
        cudaMallocAsync(&a, 128, 0);
        cudaMemsetAsync(a, 0, 128, 0);
        twice<<<1, 32>>>(a);
        cudaFreeAsync(a, 0);
    }
    cudaDeviceSynchronize();
    return 0;
}
// check: all
