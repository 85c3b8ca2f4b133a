// A conversion that is not written out is not the card's where the number does not fit: that is said, once a place.
// err: conversions_implicit.cu:13: warning: kernel implicit: 3e+09 does not fit int: a GPU makes 2147483647 of it, this run had -2147483648; write the conversion, (int)x, and it is the GPU's
// err: conversions_implicit.cu:14: warning: kernel implicit: -1 does not fit unsigned int: a GPU makes 0 of it, this run had 4294967295
// not: conversions_implicit.cu:15
// not: conversions_implicit.cu:16
// not: conversions_implicit.cu:23
// out: 4 0
#include <stdio.h>
#include <stdint.h>

__global__ void implicit(float f, float minus, long long *o)
{
    int big = f;
    unsigned below = minus;
    unsigned char narrow = f / 1e8f;
    int written = (int)f;
    o[threadIdx.x] = (big == 1) + (below == 1) + narrow + (written == 1);
}

int main()
{
    volatile float f = 3e9f;
    int host = f;                     /* the host's own business */
    long long *o;
    cudaMallocManaged(&o, 4 * sizeof *o);
    implicit<<<1, 4>>>(3e9f, -1.f, o);
    cudaDeviceSynchronize();
    printf("%lld %d\n", o[3] - 26, host == 1);
    cudaFree(o);
}
