// Access to a device's memory is none to its pools: they are opened one by one.
// run: THREELANE_MODEL=unit+devices=2
// hazard: wrong-memory A
// right: -DRIGHT
#include "../hazards.h"
__global__ void twice(int *p) { p[threadIdx.x] *= 2; } // A
int main()
{
    int *x;
    cudaMallocAsync(&x, BYTES, 0);
    cudaMemsetAsync(x, 0, BYTES, 0);
#ifdef RIGHT
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 1;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    cudaMemPoolSetAccess(pool, &access, 1);
#endif
    cudaStreamSynchronize(0);
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    twice<<<1, 32>>>(x);
    if (cudaDeviceSynchronize()) return 0;
    cudaSetDevice(0);
    cudaFreeAsync(x, 0);
    cudaStreamSynchronize(0);
    return finish();
}
