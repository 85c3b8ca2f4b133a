// Every second byte was written: the others are read, byte-exact.
__global__ void even(char *a) { a[2 * threadIdx.x] = 1; }
__global__ void copy(const char *a, char *b) { b[threadIdx.x] = a[threadIdx.x]; }

int main()
{
    char *a, *b;
    cudaMalloc(&a, 100);
    cudaMalloc(&b, 100);
    even<<<1, 50>>>(a);
    copy<<<1, 100>>>(a, b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
// hazard: uninitialised 3
// err: reads a[1..99]
// err: 50 of these 99
