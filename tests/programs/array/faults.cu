// What ends a kernel: a surface written outside, and a texture object that is gone; each with its line.
// run: 0
// err: faults.cu:16: warning: kernel write: a surface is written outside (cudaBoundaryModeTrap; x counts bytes), block (0,0,0), thread (8,0,0)
// out: cudaErrorIllegalAddress
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void write(cudaSurfaceObject_t s)
{
    int x = (int)threadIdx.x;
    float value = 1;
    if (x > 100) return;

    /* the line of the call is what is wanted, not that of the function around it */
    surf1Dwrite(value, s, x * 4);
}

int main()
{
    cudaArray_t array;
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t s;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, 8, 0, cudaArraySurfaceLoadStore);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaCreateSurfaceObject(&s, &resource);
    write<<<1, 16>>>(s);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
