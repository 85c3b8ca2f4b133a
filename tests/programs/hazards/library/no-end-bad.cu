// A string in pinned memory without its end: strlen() looks for it past the block.
#include <cstdio>
#include <cstring>

int main()
{
    char *h, *d;
    cudaMalloc(&d, 16);
    cudaMemset(d, 'x', 16);
    cudaMallocHost(&h, 16);
    cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
    printf("%zu\n", strlen(h));
    cudaFree(d);
    cudaFreeHost(h);
    return 0;
}
// hazard: out-of-bounds 12
