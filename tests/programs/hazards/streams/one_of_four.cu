// Two operations here, two there, all on one buffer: four pairs race, and one edge orders them all.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    fill<<<4, 256, 0, a>>>(d, N, 1);
    add<<<4, 256, 0, a>>>(d, N);                                 // A
#ifdef RIGHT
    order(a, b);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    fill<<<4, 256, 0, b>>>(d, N, 2);
    cudaStreamSynchronize(b);
    return finish();
}
