// The copy that would have written the bytes is not ordered before the kernel: that is a race, and one report.
__global__ void twice(float *a) { a[threadIdx.x] *= 2; }

int main()
{
    float *h, *d;
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMallocHost(&h, 128);
    cudaMalloc(&d, 128);
    cudaMemcpyAsync(d, h, 128, cudaMemcpyHostToDevice, a);
    twice<<<1, 32, 0, b>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return 0;
}
// hazard: race 12 13
