// A kernel of device 1 cannot reach a variable of device 0 through a pointer, whatever access was allowed; its own it can.
// run: THREELANE_MODEL=unit+devices=2
// hazard: wrong-memory A
// right: -DRIGHT
#include "../hazards.h"
__device__ int values[32];
__global__ void twice(int *p) { p[threadIdx.x] *= 2; } // A
int main()
{
    int *x;
#ifdef RIGHT
    cudaSetDevice(1);
    cudaGetSymbolAddress((void **)&x, values);
#else
    cudaGetSymbolAddress((void **)&x, values);
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
#endif
    twice<<<1, 32>>>(x);
    if (cudaDeviceSynchronize()) return 0;
    return finish();
}
