// compare.h - what the programs of tests/compare share. Each does its work once to warm up (a first launch is slower
// than all that follow), then once more inside the range "measured", which is what is compared.
#ifndef COMPARE_H
#define COMPARE_H
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nvtx3/nvToolsExt.h>

#define CHECK(call)                                                                                        \
    do {                                                                                                   \
        cudaError_t error_ = (call);                                                                       \
        if (error_ != cudaSuccess) {                                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));                \
            exit(1);                                                                                       \
        }                                                                                                  \
    } while (0)

static const size_t KIB = 1024, MIB = 1024 * KIB;

// A kernel whose length is what the clock says.
static __global__ void spin(long long ns)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}

// A kernel that is bound by memory.
static __global__ void scale(float *p, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * 2;
}
static inline void launch_scale(void *p, size_t bytes, cudaStream_t stream)
{
    size_t n = bytes / sizeof(float);
    scale<<<(unsigned)((n + 255) / 256), 256, 0, stream>>>((float *)p, n);
}

template <class Work> static void measure(Work work)
{
    work();
    CHECK(cudaDeviceSynchronize());
    nvtxRangePushA("measured");
    work();
    CHECK(cudaDeviceSynchronize());
    nvtxRangePop();
}
#endif
