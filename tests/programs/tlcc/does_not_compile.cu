// Messages name the program's own line and column, in launches and kernels, too.
// build: fails
// err: does_not_compile.cu:13:62: error:
// err: does_not_compile.cu:17:24: error:
// err: does_not_compile.cu:17:47: error:
// err: does_not_compile.cu:18:12: error:
// err: does_not_compile.cu:19:5: error:
#include <cuda_runtime.h>

template <class T> __global__ void other(T *p) { *p = 0; }

#define SIZE 256
__global__ void k(float *p, int n) { int i = threadIdx.x;    undefined_in_kernel(p[i]); } int between;
int main()
{
    float *p = nullptr;
    k<<<1, SIZE>>>(p, *undefined_argument); k(undefined_after);
    k<<<1, undefined_size>>>(p, 3);
    undefined_kernel<<<1, 2>>>(p);
}
