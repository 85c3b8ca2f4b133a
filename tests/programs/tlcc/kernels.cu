// Every form of a kernel: attributes, templates, packs, prototypes, macros, parameters of all kinds.
// out: all kernels ran
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__managed__ float buf[256];
__managed__ int flag;

#define DEFINE(name, op) __global__ void name(float *p) { p[threadIdx.x] op 2; }
DEFINE(add, +=) DEFINE(times, *=)
#define SIGNATURE(name) __global__ void name(float *p)
SIGNATURE(hidden) { p[0] = 1; }
#define KERNEL __global__ void
KERNEL alias(float *p, int n) { p[0] = n; }
#define KERNEL_OF(name, ...) __global__ void name(__VA_ARGS__)
KERNEL_OF(variadic, float *p, int n) { p[0] = n + 1; }
template <class... A> __global__ void pack(float *p, A... a) { p[threadIdx.x] = (a + ... + 0); }
__global__ __launch_bounds__(256) void early(float *p, int n)
{
    if (n < 0) return;
    p[threadIdx.x] = n;
    n++;
    goto out;
out:
    return;
}
static inline void __launch_bounds__(256, 2) __global__ ordered(float *p) { p[0] = 11; }
template <typename T, template <class> class C> __global__ void nested(C<T> c, float *p) { p[0] = c.v; }
template <class T> struct W { T v; };
__global__ void declared(float *p, int n = 4);
__global__ void declared(float *p, int n) { p[0] = n; }
extern "C" __global__ void c_name(float *p) { p[0] = 9; }
extern "C" { __global__ void c_block(float *p) { p[0] = 10; } }
struct Big { float v[500]; };
__global__ void big(const Big b, float *p) { p[threadIdx.x] = b.v[threadIdx.x]; }
template <class T> __global__ void special(T *p) { p[0] = 1; }
template <> __global__ void special<float>(float *p) { p[0] = 12; }
__global__ void unnamed(float *p, int, const char *) { p[0] = 13; }
__device__ float twice(float x) { return 2 * x; }
typedef float (*Function)(float);
__global__ void pointers(float *p, float (*f)(float), Function g, const float *__restrict__ q) { p[0] = f(g(q[0])); }
class Holder { friend __global__ void befriended(Holder h, float *p); int v; public: Holder(int i) : v(i) {} };
__global__ void befriended(Holder h, float *p) { p[0] = h.v; }
namespace a { namespace { __global__ void hidden_name(float *p) { p[0] = 14; } } }
__global__ void branches(float *p)
{
#ifdef NOT_DEFINED
    p[0] = 0; }
#else
    p[0] = 15;
#endif
    if (p[1] < 0) { p[2] = "}"[0]; /* } */ } // }
}

static float run(void) { assert(cudaDeviceSynchronize() == cudaSuccess); return buf[0]; }

int main()
{
    float *p = buf;
    add<<<1, 256>>>(p); times<<<1, 256>>>(p); run(); assert(p[7] == 4);
    hidden<<<1, 1>>>(p); assert(run() == 1);
    alias<<<1, 1>>>(p, 5); assert(run() == 5);
    variadic<<<1, 1>>>(p, 5); assert(run() == 6);
    pack<<<1, 4>>>(p, 1, 2, 3.5f); assert(run() == 6.5f);
    early<<<1, 4>>>(p, 3); assert(run() == 3);
    ordered<<<1, 1>>>(p); assert(run() == 11);
    nested<<<1, 1>>>(W<int>{5}, p); assert(run() == 5);
    declared<<<1, 1>>>(p); assert(run() == 4);
    c_name<<<1, 1>>>(p); assert(run() == 9);
    c_block<<<1, 1>>>(p); assert(run() == 10);
    Big g = {};
    g.v[3] = 7;
    big<<<1, 8>>>(g, p); run(); assert(p[3] == 7);
    special<<<1, 1>>>(p); assert(run() == 12);
    unnamed<<<1, 1>>>(p, 1, nullptr); assert(run() == 13);
    befriended<<<1, 1>>>(Holder(21), p); assert(run() == 21);
    a::hidden_name<<<1, 1>>>(p); assert(run() == 14);
    p[1] = 1;
    branches<<<1, 1>>>(p); assert(run() == 15);
    puts("all kernels ran");
}
