// Into pinned memory, and from there.
#include <cstdio>

int main()
{
    char *d, *h;
    cudaMalloc(&d, 16);
    cudaMallocHost(&h, 16);
    FILE *file = fopen("/dev/zero", "r");
    if (fread(h, 1, 16, file) != 16) return 1;
    fclose(file);
    cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);
    cudaFree(d);
    cudaFreeHost(h);
    return 0;
}
// check: all
