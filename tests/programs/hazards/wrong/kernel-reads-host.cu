// Managed memory is there for both sides.
__global__ void twice(float *a) { a[threadIdx.x] *= 2; }

int main()
{
    float *m;
    cudaMallocManaged(&m, 32 * sizeof *m);
    for (int i = 0; i < 32; i++) m[i] = 1;
    twice<<<1, 32>>>(m);
    cudaDeviceSynchronize();
    cudaFree(m);
    return 0;
}
// check: all
