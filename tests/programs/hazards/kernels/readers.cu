// Any number of kernels may read at once; none while one writes.
// hazard: race A B
// hazard: race C B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    cudaStream_t a = stream(), b = stream(), c = stream();
    move<<<4, 256, 0, a>>>(x, d, N);                             // A
    move<<<4, 256, 0, b>>>(y, d, N);                             // C
#ifdef RIGHT
    order(a, c);
    order(b, c);
#endif
    fill<<<4, 256, 0, c>>>(d, N, 5);                             // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
