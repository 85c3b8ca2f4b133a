// A pool at the end of the device's memory, as measured on an H200.
// run: THREELANE_MODEL=h200
// schedules: 2
// out: ok pool_full
#include "conformance.h"

#define GIB ((size_t)1 << 30)

int main()
{
    cudaStream_t s1, s2;
    cudaMemPool_t pool;
    size_t free_bytes, total;
    void *p, *q, *d;
    static void *all[1024];
    int n = 0, no = 0;
    uint64_t keep = UINT64_MAX, reserved;
    cudaError_t error = cudaSuccess;
    warm_up();
    OK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemGetInfo(&free_bytes, &total));

    // What a stream has freed is there for it at once: this needs 1 GiB.
    for (int i = 0; i < 400; i++) {
        OK(cudaMallocAsync(&p, GIB, s1));
        OK(cudaFreeAsync(p, s1));
    }
    OK(cudaStreamSynchronize(s1));

    while (n < 1024 && !(error = cudaMallocAsync(&all[n], GIB, s1))) n++;
    IS(cudaErrorMemoryAllocation, error);
    IS(cudaErrorMemoryAllocation, cudaGetLastError());
    IS(cudaSuccess, cudaGetLastError());
    CHECK((size_t)n >= free_bytes / GIB - 2 && (size_t)n <= free_bytes / GIB);
    IS(cudaSuccess, cudaDeviceSynchronize());
    IS(cudaErrorMemoryAllocation, cudaMalloc(&d, GIB));
    cudaGetLastError();

    // Freed in one stream, behind work: another gets it all the same, and waits for the free.
    busy(s1);
    OK(cudaFreeAsync(all[0], s1));
    RETURNS_AT_ONCE(cudaMallocAsync(&p, GIB, s2));
    CHECK(p == all[0]);
    WAITS(cudaStreamSynchronize(s2));
    OK(cudaDeviceSynchronize());

    // Unless the pool may not make it wait.
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &no));
    busy(s1);
    OK(cudaFreeAsync(p, s1));
    IS(cudaErrorMemoryAllocation, cudaMallocAsync(&q, GIB, s2));
    cudaGetLastError();
    OK(cudaDeviceSynchronize());

    // What a pool keeps goes to who needs it.
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    for (int i = 1; i < n; i++) OK(cudaFreeAsync(all[i], s1));
    OK(cudaDeviceSynchronize());
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(reserved >= (size_t)(n - 1) * GIB);
    OK(cudaMalloc(&d, (size_t)n / 2 * GIB));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(reserved <= (size_t)(n - n / 2) * GIB);
    OK(cudaFree(d));
    return finish("pool_full");
}
