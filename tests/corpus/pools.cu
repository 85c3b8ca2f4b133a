// Stream-ordered allocation: in one stream, handed to another, a pool of one's own, freed late.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DTYPE=double
// variant: -DSTYLE=3
// variant: -DSTYLE=4 -DERRORS=2
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=3 -O0
// variant: -DSTYLE=2 -DTYPE=double -std=c++20 -O3
// variant: -DSTYLE=4 -DERRORS=2 -G
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=3 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = use-after-free
// wrong: -DSTYLE=2 -DWRONG=1 = use-before-alloc,race
// wrong: -DSTYLE=2 -DWRONG=2 = use-after-free
// wrong: -DSTYLE=3 -DWRONG=1 = use-after-free
// wrong: -DSTYLE=1 -DWRONG=2 = uninitialised
// wrong: -DSTYLE=4 -DWRONG=1 = free-in-flight
#include "helper.h"
#include <cstdint>
enum { N = 4096 };
__global__ void fill(T *p, T v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void twice(T *p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
int main()
{
    cudaStream_t s, t;
    cudaEvent_t e;
    T *p, got[N];
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
#if STYLE == 3
    cudaMemPool_t pool;
    uint64_t keep = UINT64_MAX;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    CHECK(cudaMallocAsync((void **)&p, sizeof got, s));
#else
    CHECK(cudaMallocAsync((void **)&p, sizeof got, s));
#endif
    if (!(STYLE == 1 && WRONG == 2)) fill<<<N / 256, 256, 0, s>>>(p, 3);
#if STYLE == 2
    CHECK(cudaEventRecord(e, s));
    if (WRONG != 1) CHECK(cudaStreamWaitEvent(t, e, 0));
    twice<<<N / 256, 256, 0, t>>>(p);
    if (WRONG == 2) CHECK(cudaFreeAsync(p, s));
    CHECK(cudaMemcpyAsync(got, p, sizeof got, cudaMemcpyDeviceToHost, t));
    CHECK(cudaEventRecord(e, t));
    CHECK(cudaStreamWaitEvent(s, e, 0));
    if (WRONG != 2) CHECK(cudaFreeAsync(p, s));
#elif STYLE == 4
    twice<<<N / 256, 256, 0, s>>>(p);
    CHECK(cudaMemcpyAsync(got, p, sizeof got, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    if (WRONG == 1) twice<<<N / 256, 256, 0, s>>>(p);
    CHECK(cudaFree(p));
#else
    if (STYLE == 3 && WRONG == 1) CHECK(cudaFreeAsync(p, s));
    twice<<<N / 256, 256, 0, s>>>(p);
    if (STYLE == 1 && WRONG == 1) CHECK(cudaFreeAsync(p, s));
    CHECK(cudaMemcpyAsync(got, p, sizeof got, cudaMemcpyDeviceToHost, s));
    if (WRONG != 1) CHECK(cudaFreeAsync(p, s));
#endif
    CHECK_LAUNCH();
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamSynchronize(t));
#if STYLE == 3
    CHECK(cudaMemPoolTrimTo(pool, 0));
#endif
    bool right = true;
    for (T x : got) right = right && x == 6;
    CHECK(cudaEventDestroy(e));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    return verdict(right);
}
