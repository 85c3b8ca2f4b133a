// Where a kernel writes depends on data: two lists of places that have none in common, or one.
// hazard: race A B
// err: d[40..43]
// right: -DRIGHT
#include "../hazards.h"
__global__ void scatter(int *p, const int *where) { p[where[threadIdx.x]] = 1; }
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *w; cudaMalloc(&w, BYTES); keep(w);
    int first[4] = {3, 10, 500, 7}, second[4] = {4, 11, 501, 8};
#ifndef RIGHT
    second[2] = 10;
#endif
    cudaMemcpy(w, first, sizeof first, cudaMemcpyHostToDevice);
    cudaMemcpy(w + 4, second, sizeof second, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaStream_t a = stream(), b = stream();
    scatter<<<1, 4, 0, a>>>(d, w);                               // A
    scatter<<<1, 4, 0, b>>>(d, w + 4);                           // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
