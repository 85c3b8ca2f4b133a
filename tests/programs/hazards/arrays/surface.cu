// Two blocks write the same element of a surface.
// hazard: global-race A A
// right: -DRIGHT
#include <cuda_runtime.h>

__global__ void mark(cudaSurfaceObject_t s)
{
#ifdef RIGHT
    surf1Dwrite((float)blockIdx.x, s, (int)(blockIdx.x * sizeof(float)));
#else
    surf1Dwrite((float)blockIdx.x, s, 4); // A
#endif
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
    mark<<<2, 1>>>(s);
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(s);
    cudaFreeArray(array);
    return 0;
}
