// An array that is never freed: the fix names the call for arrays.
// check: all
// err: call cudaFreeArray when it is not needed any more
// hazard: leak 11
#include <cuda_runtime.h>

int main()
{
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &desc, 8, 8);
    return 0;
}
