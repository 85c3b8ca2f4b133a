// Arrays that are never freed: the fix names the call that frees such a one, in the words of the
// API that made it.
// check: all
// err: call cudaFreeArray when it is not needed any more
// err: call cudaFreeMipmappedArray when it is not needed any more
// err: call cuArrayDestroy when it is not needed any more
// hazard: leak 18
// hazard: leak 19
// hazard: leak 24
#include <cuda.h>
#include <cuda_runtime.h>

int main()
{
    cudaArray_t array;
    cudaMipmappedArray_t mipmaps;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, 8, 8);
    cudaMallocMipmappedArray(&mipmaps, &desc, make_cudaExtent(8, 8, 0), 1);
    CUarray of_driver;
    CUDA_ARRAY_DESCRIPTOR wanted = {};
    wanted.Width = 8, wanted.Height = 8;
    wanted.Format = CU_AD_FORMAT_FLOAT, wanted.NumChannels = 1;
    cuArrayCreate(&of_driver, &wanted);
    return 0;
}
