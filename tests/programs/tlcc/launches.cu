// Every form of a launch: templates, commas, parentheses, members, macros, lambdas, pointers.
// flags: --extended-lambda
// out: all launches ran
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__managed__ float buf[256];
__managed__ int whole;

__global__ void plain(float *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] += 1; }
template <class T> __global__ void deduced(T *p, T v, int n) { int i = threadIdx.x; if (i < n) p[i] = v; }
template <class T, int B> __global__ void explicit_(T *p) { p[threadIdx.x] = B; }
__global__ void defaulted(float *p, int n = 256) { p[threadIdx.x] = n; }
__global__ void overloaded(int *p) { *p = 1; }
__global__ void overloaded(float *p) { *p = 2; }
__global__ void null(float *p, float *q) { if (!q) p[threadIdx.x] = 7; }
__global__ void nothing() {}
namespace ns {
template <class T> struct V { T a; };
template <class T> __global__ void k(V<T> v, float *p) { p[0] = v.a; }
}
template <class F> __global__ void apply(F f, float *p) { p[threadIdx.x] = f(threadIdx.x); }
template <int X, int Y> constexpr int most() { return X > Y ? X : Y; }

struct S { float *d; int n; void go() { plain<<<1, n>>>(d, n); } };
typedef void (*Kernel)(float *, int);
struct Table { Kernel entry[2]; Kernel get(int i) { return entry[i]; } };

#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
#define BARE plain<<<1, 256>>>
#define ON(g, b) <<<g, b>>>
#define CHECK(x) do { x; assert(cudaGetLastError() == cudaSuccess); } while (0)
#define MANY(k) \
    k<<<1, 256>>> \
        (p, n)

static void done(void) { assert(cudaDeviceSynchronize() == cudaSuccess); }

int main()
{
    float *p = buf;
    int n = 256;
    cudaStream_t s = 0;
    plain<<<1, 256>>>(p, n); done(); assert(p[3] == 1);
    plain <<< dim3(1), dim3(n > 100 ? 256 : 1), 0,
        s >>> (p, n); done(); assert(p[3] == 2);
    deduced<<<1, 256>>>(p, 5.f, n); done(); assert(p[9] == 5);
    explicit_<float, 3><<<1, 256>>>(p); done(); assert(p[200] == 3);
    explicit_<float, (4 > 3)><<<1, 256>>>(p); done(); assert(p[200] == 1);
    defaulted<<<1, 256>>>(p); done(); assert(p[1] == 256);
    overloaded<<<1, 1>>>(&whole); done(); assert(whole == 1);
    overloaded<<<1, 1>>>(p); done(); assert(p[0] == 2);
    ns::k<<<1, 1>>>(ns::V<float>{4}, p); done(); assert(p[0] == 4);
    ns::k<float><<<(n >> 8), 1>>>(ns::V<float>{6}, p); done(); assert(p[0] == 6);
    ns::k<float><<<1, 1>>>({3.f}, p); done(); assert(p[0] == 3);
    deduced<<<1, 256>>>(p, 0.f, n);
    S{p, 256}.go(); done(); assert(p[5] == 1);
    LAUNCH(plain, 1, 256, p, n); done(); assert(p[5] == 2);
    LAUNCH((deduced<float>), 1, 256, p, 8.f, n); done(); assert(p[5] == 8);
    Kernel fp = plain;
    fp<<<1, 256>>>(p, n);
    Table t = {{plain, plain}};
    t.entry[1]<<<1, 256>>>(p, n);
    (*fp)<<<1, 256>>>(p, n); done(); assert(p[5] == 11);
    t.get(0)<<<1, 256>>>(p, n);
    (&t)->get(1)<<<1, 256>>>(p, n); done(); assert(p[5] == 13);
    apply<<<1, 256>>>([=] __device__(int i) { return i * 2.f; }, p); done(); assert(p[5] == 10);
    plain<<<most<1, 0>(), 256>>>(p, n); done(); assert(p[5] == 11);
    int i = 0;
    plain<<<1, 256>>>(p, (i++, n)); done(); assert(i == 1 && p[5] == 12);
    nothing<<<1, 1>>>();
    for (int j = 0; j < 2; j++)
        if (j) plain<<<1, 256>>>(p, n); else nothing<<<1, 1>>>();
    done(); assert(p[5] == 13);
    BARE(p, n); done(); assert(p[5] == 14);
    plain ON(1, 256) (p, n); done(); assert(p[5] == 15);
    CHECK((plain<<<1, 256>>>(p, n))); done(); assert(p[5] == 16);
    MANY(plain); done(); assert(p[5] == 17);
    auto later = [&] { plain<<<1, 256>>>(p, n); }; later(); done(); assert(p[5] == 18);
    n > 3 ? plain<<<1, 256>>>(p, n) : nothing<<<1, 1>>>(); done(); assert(p[5] == 19);
    null<<<1, 256>>>(p, NULL); done(); assert(p[5] == 7);
    null<<<1, 256>>>(p, 0); null<<<1, 256>>>(p, nullptr); done(); assert(p[5] == 7);
    const char *text = "a<<<b>>>(c)";  // k<<<1>>>()
    assert(text[1] == '<' && __LINE__ == 85);
    puts("all launches ran");
}
