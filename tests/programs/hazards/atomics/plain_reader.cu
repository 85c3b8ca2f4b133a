// An atomic update and a plain read are a race; an atomic update and an atomic read are none.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
__global__ void count(int *p) { atomicAdd(p, 1); }
__global__ void look(int *to, int *p)
{
#ifdef RIGHT
    to[0] = atomicAdd(p, 0);
#else
    to[0] = *p;
#endif
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *x; cudaMalloc(&x, BYTES); keep(x);
    cudaStream_t a = stream(), b = stream();
    count<<<4, 64, 0, a>>>(d);                                   // A
    look<<<1, 1, 0, b>>>(x, d);                                  // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
