// A kernel that waits for a flag which is never set is still there at the end: what it and the others touched counts.
// hazard: race P B
// hazard: unfinished P
#include <cstdio>

__global__ void poll(volatile int *flag, int *p) { p[0] = 1; while (!*flag) {} }
__global__ void b(int *p) { p[0] = 2; }

int main()
{
    int *d = nullptr;
    cudaStream_t s, t;
    cudaMalloc(&d, 256);
    cudaMemset(d, 0, 256);
    cudaDeviceSynchronize();
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    poll<<<1, 1, 0, s>>>(d + 32, d);  // P
    b<<<1, 1, 0, t>>>(d);             // B
    return 0;
}
