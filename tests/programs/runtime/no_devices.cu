// CUDA_VISIBLE_DEVICES that leaves none: a machine without a GPU, and a word about why.
// run: CUDA_VISIBLE_DEVICES=1
// out: none
// err: CUDA_VISIBLE_DEVICES=1 leaves none of the 1 virtual GPU
#include <cstdio>
int main()
{
    int n = -1;
    void *p;
    if (cudaGetDeviceCount(&n) != cudaErrorNoDevice || n != -1) return 1; /* left alone, as on an H200 */
    if (cudaMalloc(&p, 4) != cudaErrorNoDevice || cudaSetDevice(0) != cudaErrorNoDevice) return 2;
    if (cudaDeviceSynchronize() != cudaErrorNoDevice) return 3;
    puts("none");
}
