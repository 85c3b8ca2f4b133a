// In one stream.
__global__ void twice(float *a) { a[threadIdx.x] *= 2; }

int main()
{
    float *h, *d;
    cudaStream_t a;
    cudaStreamCreate(&a);
    cudaMallocHost(&h, 128);
    cudaMalloc(&d, 128);
    cudaMemcpyAsync(d, h, 128, cudaMemcpyHostToDevice, a);
    twice<<<1, 32, 0, a>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFreeHost(h);
    cudaStreamDestroy(a);
    return 0;
}
// check: all
