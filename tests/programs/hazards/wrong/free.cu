// Each by its own call.
#include <stdlib.h>
int main()
{
    int *d, *h, *m = (int *)malloc(64);
    cudaMalloc(&d, 64);
    cudaMallocHost(&h, 64);
    cudaHostRegister(m, 64, 0);
    cudaHostUnregister(m);
    cudaFree(d);
    cudaFreeHost(h);
    free(m);
    return 0;
}
// check: all
