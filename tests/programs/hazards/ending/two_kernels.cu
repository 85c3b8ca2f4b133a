// Two kernels race, and the program returns before either has begun.
// right: -DRIGHT
// hazard: race A B
// hazard: unfinished A
// err: A and 1 more operation were not finished
#include <cstdio>

__global__ void A(int *p) { p[threadIdx.x] = 1; }
__global__ void B(int *p) { p[threadIdx.x] = 2; }

int main()
{
    int *d = nullptr;
    cudaStream_t s, t;
    cudaMalloc(&d, 128);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    A<<<1, 32, 0, s>>>(d);            // A
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    B<<<1, 32, 0, t>>>(d);            // B
#ifdef RIGHT
    cudaStreamSynchronize(t);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
    cudaFree(d);
#endif
    return 0;
}
