// All of a is set, and so is all of b.
__global__ void twice(float *a) { a[threadIdx.x] *= 2; }

int main()
{
    float *a, *b;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaMemset(a, 0, 128);
    cudaMemcpy(b, a, 128, cudaMemcpyDeviceToDevice);
    twice<<<1, 32>>>(b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
// check: all
