// A kernel reads and writes another device's memory once its device has access to it, and faults (700) without. Pools
// have an access of their own. Every device has its own copy of a __device__ variable.
// run: THREELANE_MODEL=h200+devices=2
// out: ok peer_kernels
// err: which is on GPU 0
// hazard: wrong-memory A
// status: 0
#include "conformance.h"

__device__ int own = 5;
__constant__ int factor = 1;
__global__ void add(int *p, int by) { *p += by; } // A
__global__ void count(int by) { own += by * factor; }

int main()
{
    int *a, *pooled, value = -1;
    cudaStream_t s[2];
    cudaMemPool_t pool;
    cudaMemAccessDesc access = {};
    cudaMemAccessFlags flags;
    cudaMemLocation where = {};
    needs_devices(2, "peer_kernels");
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    }
    OK(cudaSetDevice(0));
    OK(cudaMalloc(&a, 4));
    OK(cudaMemset(a, 0, 4));
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(1));
    OK(cudaDeviceEnablePeerAccess(0, 0));
    add<<<1, 1, 0, s[1]>>>(a, 7);
    OK(cudaStreamSynchronize(s[1]));
    OK(cudaMemcpy(&value, a, 4, cudaMemcpyDefault));
    CHECK(value == 7);

    /* a pool is opened by itself */
    OK(cudaSetDevice(0));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    where.type = cudaMemLocationTypeDevice;
    where.id = 1;
    OK(cudaMemPoolGetAccess(&flags, pool, &where));
    CHECK(flags == cudaMemAccessFlagsProtNone);
    access.location = where;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &where));
    CHECK(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaMallocAsync(&pooled, 4, s[0]));
    OK(cudaMemsetAsync(pooled, 0, 4, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    OK(cudaSetDevice(1));
    add<<<1, 1, 0, s[1]>>>(pooled, 8);
    OK(cudaStreamSynchronize(s[1]));
    OK(cudaMemcpy(&value, pooled, 4, cudaMemcpyDefault));
    CHECK(value == 8);

    /* variables: one for each device */
    for (int i = 0; i < 2; i++) {
        int twice = 2;
        OK(cudaSetDevice(i));
        if (i) OK(cudaMemcpyToSymbol(factor, &twice, sizeof twice));
        count<<<1, 1>>>(10 * (i + 1));
        OK(cudaDeviceSynchronize());
    }
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMemcpyFromSymbol(&value, own, sizeof value));
        CHECK(value == (i ? 45 : 15));
    }

    /* without access */
    OK(cudaSetDevice(1));
    OK(cudaDeviceDisablePeerAccess(0));
    add<<<1, 1, 0, s[1]>>>(a, 7);
    OK(cudaGetLastError());
    IS(cudaErrorIllegalAddress, cudaStreamSynchronize(s[1]));
    return finish("peer_kernels");
}
