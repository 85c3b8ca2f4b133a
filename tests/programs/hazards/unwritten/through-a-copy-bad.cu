// Bytes that nobody wrote are copied from device memory to device memory, and then read.
__global__ void twice(float *a) { a[threadIdx.x] *= 2; }

int main()
{
    float *a, *b;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMemset(a, 0, 64);
    cudaMemcpy(b, a, 128, cudaMemcpyDeviceToDevice);
    twice<<<1, 32>>>(b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
// hazard: uninitialised 2
// err: reads b[64..127]
