// The end is looked for where the string can be.
#include <cstdio>
#include <cstring>

int main()
{
    char *h, *d;
    cudaMalloc(&d, 16);
    cudaMemset(d, 'x', 16);
    cudaMallocHost(&h, 16);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    printf("%zu %.*s\n", strnlen(h, 16), 16, h);
    cudaFree(d);
    cudaFreeHost(h);
    return 0;
}
// check: all
