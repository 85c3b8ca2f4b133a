/* A program's C half: it allocates, copies and calls what the .cu file exports. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef WRONG
#define WRONG 0
#endif
void launch_scale(float *p, int n, float by, cudaStream_t stream);
int main(void)
{
    enum { N = 777 };
    float *h = (float *)malloc((N - (WRONG == 2)) * sizeof *h), *d;
    cudaStream_t s;
    int i, bad = 0;
    for (i = 0; i < N - (WRONG == 2); i++) h[i] = (float)i;
    if (cudaMalloc((void **)&d, N * sizeof *d) != cudaSuccess) return 1;
    if (cudaStreamCreate(&s) != cudaSuccess) return 1;
    if (cudaMemcpyAsync(d, h, N * sizeof *h, cudaMemcpyHostToDevice, s) != cudaSuccess) return 1;
    launch_scale(d, N, 3, s);
    if (WRONG != 1) cudaStreamSynchronize(s);
    if (cudaMemcpyAsync(h, d, N * sizeof *h, cudaMemcpyDeviceToHost, s) != cudaSuccess) return 1;
    cudaStreamSynchronize(s);
    if (WRONG == 1) cudaFreeHost(h);
    for (i = 0; i < N - 1; i++) bad += h[i] != 3 * (float)i;
    free(h);
    cudaFree(d);
    cudaStreamDestroy(s);
    puts(bad ? "FAILED" : "PASSED");
    return bad != 0;
}
