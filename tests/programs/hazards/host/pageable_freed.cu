// Memory from malloc goes back while a copy may still read it: this copy happened to have put it aside.
// check: hazards
// hazard: not-guaranteed A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h = (int *)calloc(N, 4);
    cudaStream_t a = stream();
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    free(h);                                                     // B
    return finish();
}
