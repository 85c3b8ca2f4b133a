// What kernels take of the processor. Each number is the best of several runs; ratios are taken
// within one run of the program, launch and publication of the results included.
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include "reference.h"

enum { N = 1 << 20, REPEATS = 11 };

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void polynomial(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i], sum = y[i];
        for (int k = 0; k < 15; k++) sum = sum * v + a;
        y[i] = sum;
    }
}
__global__ void sums(const float *x, float *y, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) sum += x[k * 32 + threadIdx.x];
    y[threadIdx.x] = sum;
}
__global__ void fill(float *y, int n)
{
    for (int k = 0; k < n; k++) y[k * 32 + threadIdx.x] = (float)k;
}
__global__ void shared(float *y, int n)
{
    __shared__ float s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < n; k++) sum += s[(threadIdx.x + k) & 31];
    y[threadIdx.x] = sum;
}
__global__ void barriers(float *y, int n)
{
    for (int k = 0; k < n; k++) __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void phases(float *y, int n)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (threadIdx.x == 0) init(&all, blockDim.x);
    __syncthreads();
    for (int k = 0; k < n; k++) all.arrive_and_wait();
    y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void copies(const float *x, float *y, int n)
{
    __shared__ float s[256];
    auto pipe = cuda::make_pipeline();
    for (int k = 0; k < n; k++) {
        cuda::memcpy_async(&s[threadIdx.x], &x[threadIdx.x], sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
__global__ void shuffles(float *y)
{
    float v = (float)threadIdx.x;
    for (int k = 16; k; k /= 2) v += __shfl_xor_sync(0xffffffffu, v, k);
    y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

#if defined(__clang__)
#define SCALAR __attribute__((noinline, no_sanitize("thread")))
#define SCALAR_LOOP _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#else
#define SCALAR __attribute__((noinline, no_sanitize_thread, optimize("no-tree-vectorize")))
#define SCALAR_LOOP
#endif
SCALAR static void c_saxpy(int n, float a, const float *x, float *y)
{
    SCALAR_LOOP
    for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
SCALAR static void c_polynomial(int n, float a, const float *x, float *y)
{
    SCALAR_LOOP
    for (int i = 0; i < n; i++) {
        float v = x[i], sum = y[i];
        for (int k = 0; k < 15; k++) sum = sum * v + a;
        y[i] = sum;
    }
}

template <class F> static double best(F work)
{
    double least = 1e18;
    for (int i = 0; i < REPEATS; i++) {
        double begin = reference_cpu_ns();
        work();
        double took = reference_cpu_ns() - begin;
        if (took < least) least = took;
    }
    return least;
}
template <class F> static double best_kernel(F launch)
{
    return best([&] {
        launch();
        cudaDeviceSynchronize();
    });
}
static void line(const char *what, double value, const char *unit, const char *target)
{
    printf("%-46s %8.2f %-12s %s%s (reference %.0f M/s)\n", what, value, unit,
           *target ? "target " : "", target, reference_rate());
}

static float *x, *y;
static void prepare()
{
    cudaMalloc(&x, N * sizeof *x);
    cudaMalloc(&y, N * sizeof *y);
    cudaMemset(x, 0, N * sizeof *x);
    cudaMemset(y, 0, N * sizeof *y);
    cudaDeviceSynchronize();
}
