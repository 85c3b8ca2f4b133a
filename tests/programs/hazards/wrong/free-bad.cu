// Frees of the wrong kind, of an address inside a block, and of memory that CUDA does not know.
#include <stdlib.h>
int main()
{
    int *d, *h, *m = (int *)malloc(64);
    cudaMalloc(&d, 64);
    cudaMallocHost(&h, 64);
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
// err: why: the memory is of another kind
// err: fix: give cudaFreeHost the address that the allocation returned
// err: why: the address is not the beginning of the block
