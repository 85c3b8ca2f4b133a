// A device named twice: none at all, by another code than a number that there is not (two H200s).
// run: CUDA_VISIBLE_DEVICES=0,0
// out: none
// err: CUDA_VISIBLE_DEVICES=0,0 leaves none of the 1 virtual GPU
#include <cstdio>
int main()
{
    int n = -1, device = -7;
    void *p;
    if (cudaGetDeviceCount(&n) != cudaErrorInvalidDevice || n != -1) return 1;
    if (cudaMalloc(&p, 4) != cudaErrorInvalidDevice || cudaSetDevice(0) != cudaErrorInvalidDevice) return 2;
    if (cudaGetDevice(&device) != cudaErrorInvalidDevice || device != -7) return 3;
    puts("none");
}
