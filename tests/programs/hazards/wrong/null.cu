// The program looks.
__global__ void fill(float *a) { a[threadIdx.x] = 1; }

int main()
{
    float *d = nullptr;
    if (cudaMalloc(&d, (size_t)1 << 50) != cudaSuccess) return 0;
    fill<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    return 0;
}
// check: all
