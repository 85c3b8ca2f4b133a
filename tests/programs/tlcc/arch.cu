// __CUDA_ARCH__ is defined in device code and not in host code, also where a function is both.
// flags: -arch=sm_80
// out: host 0 device 800, both host 1 device 2, macro 3, lambda 4, older 0
// out: constant 5
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

#define HD __host__ __device__
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
static __device__ double atomicAdd(double *p, double v) { return *p + v; }
#endif

__managed__ int out[8];

__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__;
#else
    return 0;
#endif
}
HD inline int side(int add) {
#if defined(__CUDA_ARCH__)
    return 2 + add;
#else
    return 1 + add;
#endif
}
constexpr HD int constant(int n)
{
#ifdef __CUDA_ARCH__
    return n + 1;
#else
    return n;
#endif
}
__device__ int only_device()
{
#if __CUDA_ARCH__ >= 700
    return 3;
#else
    return -1;
#endif
}
__global__ void k(int *p)
{
#ifdef __CUDA_ARCH__
    p[0] = where(); p[1] = side(0); p[2] = only_device();
#else
    p[0] = p[1] = p[2] = -1;
#endif
#if __CUDA_ARCH__ < 700
    p[4] = 1;
#endif
    auto f = [](int x) {
#ifdef __CUDA_ARCH__
        return x + 1;
#else
        return x;
#endif
    };
    p[3] = f(3);
}
int main()
{
    k<<<1, 1>>>(out);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    printf("host %d device %d, both host %d device %d, macro %d, lambda %d, older %d\n", where(), out[0], side(0), out[1],
           out[2], out[3], out[4]);
    constexpr int five = constant(5);
    printf("constant %d\n", five);
    assert(__LINE__ == 75);
}
