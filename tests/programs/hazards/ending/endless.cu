// A kernel without end that nobody waits for: the program ends all the same, after a moment.
// hazard: race A B
// hazard: unfinished A
// err: could not be followed to its end
// not: core dumped
#include <cstdio>

__global__ void a(int *p) { p[0] = 1; }
__global__ void b(int *p) { p[0] = 2; }
__global__ void endless(int *p) { for (;;) ++p[1]; }

int main()
{
    int *d = nullptr;
    cudaStream_t s, t;
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    cudaDeviceSynchronize();
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    a<<<1, 1, 0, s>>>(d);             // A
    b<<<1, 1, 0, t>>>(d);             // B
    cudaStreamQuery(s);
    endless<<<1, 1, 0, s>>>(d);
    return 0;
}
