// A segmentation fault, with the heap in a state that nobody knows.
// status: 139
// hazard: race A B
// err: crash.cu:23: segmentation fault in main(): address 0x10 (a null pointer)
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void a(int *p) { p[threadIdx.x] = 1; }
__global__ void b(int *p) { p[threadIdx.x] = 2; }

int main()
{
    int *d = nullptr;
    cudaStream_t s, t;
    cudaMalloc(&d, 128);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    a<<<1, 32, 0, s>>>(d);            // A
    b<<<1, 32, 0, t>>>(d);            // B
    cudaDeviceSynchronize();
    volatile int *nowhere = (volatile int *)16;
    *nowhere = 1;
    return 0;
}
