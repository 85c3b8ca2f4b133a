// A kernel of device 1 reaches into device 0's memory, and has no access to it.
// run: THREELANE_MODEL=unit+devices=2
// hazard: wrong-memory A
// right: -DRIGHT
#include "../hazards.h"
__global__ void twice(int *p) { p[threadIdx.x] *= 2; } // A
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    cudaSetDevice(1);
#ifdef RIGHT
    cudaDeviceEnablePeerAccess(0, 0);
#endif
    twice<<<1, 32>>>(x);
    if (cudaDeviceSynchronize()) return 0;
    return finish();
}
