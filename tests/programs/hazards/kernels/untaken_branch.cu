// What a kernel would touch in the branch that it does not take is not touched.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
__global__ void maybe(int *p, int *other, bool both)
{
    p[threadIdx.x] = 1;
    if (both) other[threadIdx.x] = 1;
}
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    cudaStream_t a = stream(), b = stream();
#ifdef RIGHT
    bool both = false;
#else
    bool both = true;
#endif
    maybe<<<1, 256, 0, a>>>(x, y, both);                         // A
    maybe<<<1, 256, 0, b>>>(y, x, false);                        // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
