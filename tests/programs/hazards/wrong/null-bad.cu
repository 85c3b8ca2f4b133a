// The allocation failed, and nobody looked.
__global__ void fill(float *a) { a[threadIdx.x] = 1; }

int main()
{
    float *d = nullptr;
    cudaMalloc(&d, (size_t)1 << 50);
    fill<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    return 0;
}
// hazard: wrong-memory 2
// err: a null pointer
