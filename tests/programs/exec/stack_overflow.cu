// Recursion without end in a kernel is told with the student's file and line, large local arrays or not.
// compiler: g++
// out: cudaErrorHardwareStackError
// err: stack_overflow.cu:7: warning: kernel k: stack overflow in a kernel
#include <cstdio>
__device__ int deeper(int n, volatile int *p)
{
    volatile int large[50000];
    large[n % 50000] = n;
    return n > 0 ? deeper(n - 1, large) + large[3] : *p;
}
__global__ void k(int *out, int n)
{
    int one = 1;
    *out = deeper(n, &one);
}
int main()
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    k<<<1, 1>>>(d, 100);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
