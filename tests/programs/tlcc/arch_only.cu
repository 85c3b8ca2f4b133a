// Functions that only device code has: those of a later architecture, used where it is asked for again.
// flags: -arch=sm_80
// compiler: g++
// out: 7 12 3 4, host 0
#include <cstdio>
#include <cuda_runtime.h>

__managed__ int out[4];
struct Pair { int x, y; };

#if __CUDA_ARCH__ >= 700
__device__ int later(int more)
{
    return 7 + more;
}

template <class T> __device__ T twice(T value) { return 2 * value; }
#endif

namespace inner {
#ifdef __CUDA_ARCH__
static __device__ int sum(Pair p) { return p.x + p.y; }
#endif
}

/* two versions of one function: the host text has one already */
#if __CUDA_ARCH__ >= 700
__device__ int either() { return 4; }
#else
__device__ int either() { return 4; }
#endif

__global__ void k(int *p)
{
#if __CUDA_ARCH__ >= 700
    p[0] = later(0);
    p[1] = twice(6);
    p[2] = inner::sum(Pair{1, 2});
#endif
    p[3] = either();
}

int main()
{
    int host = 0;
#ifdef __CUDA_ARCH__
    host = 1;
#endif
    k<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d, host %d\n", out[0], out[1], out[2], out[3], host);
    return __LINE__ == 52 ? 0 : 1;
}
