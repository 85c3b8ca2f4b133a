// Frees of the wrong kind, of an address inside a block, and of memory that CUDA does not know.
#include <stdlib.h>
int main()
{
    int *d, *h, *m = (int *)malloc(64);
    cudaMalloc(&d, 64);
    cudaHostAlloc(&h, 64, cudaHostAllocDefault);
    cudaFree(h);
    cudaFreeHost(d);
    cudaFree(d + 1);
    cudaFree(m);
    cudaHostUnregister(m);
    cudaFree(d);
    cudaFreeHost(h);
    free(m);
    return 0;
}
// hazard: wrong-memory 8
// hazard: wrong-memory 9
// hazard: wrong-memory 10
// hazard: wrong-memory 11
// hazard: wrong-memory 12
// err: cudaFree frees h[0..63]
// err: why: it was made by cudaHostAlloc, which cudaFree does not undo
// err: fix: use cudaFreeHost for it
// err: why: it was made by cudaMalloc, which cudaFreeHost does not undo
// err: why: the address is not the beginning of the block
