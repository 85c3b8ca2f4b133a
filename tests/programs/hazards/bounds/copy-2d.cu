// All rows have room; what is copied back whole may hold padding between the rows.
#include <stdlib.h>
int main()
{
    char h[4 * 100] = {0}, *d;
    size_t pitch;
    cudaMallocPitch((void **)&d, &pitch, 100, 4);
    cudaMemcpy2D(d, pitch, h, 100, 100, 4, cudaMemcpyHostToDevice);
    char *all = (char *)malloc(4 * pitch);
    cudaMemcpy(all, d, 4 * pitch, cudaMemcpyDeviceToHost);
    free(all);
    cudaFree(d);
    return 0;
}
// check: all
