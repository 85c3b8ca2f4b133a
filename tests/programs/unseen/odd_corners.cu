// Shared memory named by macros, launches from maps, lambdas and tables, kernels in unnamed namespaces, folds.
// flags: -std=c++17 --extended-lambda
// out: ok
#include <cstdio>
#include <functional>
#include <vector>
#include <string>
#include <map>
#define GPU_GLOBAL __global__
#define GPU_KERNEL(n) extern "C" __global__ void n
#define SHMEM(T, n)                                                 \
    extern __shared__ __align__(sizeof(T)) unsigned char n##_raw[]; \
    T *n = reinterpret_cast<T *>(n##_raw)
#define CEIL(a, b) (((a) + (b)-1) / (b))
#define RUN(k, ...) k<<<g_grid, g_block, 0, g_stream>>>(__VA_ARGS__)
#define CALL(stmt)                                            \
    do {                                                      \
        stmt;                                                 \
        if (auto e = cudaGetLastError()) {                    \
            printf("%s: %s\n", #stmt, cudaGetErrorString(e)); \
            exit(1);                                          \
        }                                                     \
    } while (0)
static dim3 g_grid(2), g_block(32);
static cudaStream_t g_stream;
extern __shared__ float dyn[];
GPU_GLOBAL void a(float *p)
{
    dyn[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = dyn[blockDim.x - 1 - threadIdx.x];
}
GPU_KERNEL(b)(double *p)
{
    SHMEM(double, s);
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x ^ 1];
}
template <class T> struct Shared {
    __device__ static T *get()
    {
        extern __shared__ double mem[];
        return (T *)mem;
    }
};
template <class T> __global__ void c(T *p)
{
    T *s = Shared<T>::get();
    s[threadIdx.x] = threadIdx.x * 2;
    __syncthreads();
    p[threadIdx.x] = s[(threadIdx.x + 1) % blockDim.x];
}
__launch_bounds__(64) __global__ void d(int *p)
{
    __shared__ int x, y[32], z[4][8];
    if (!threadIdx.x) x = 3;
    y[threadIdx.x % 32] = 1;
    z[threadIdx.x / 8 % 4][threadIdx.x % 8] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = x + y[0] + z[3][7];
}
namespace
{
namespace inner
{
using value = int;
template <typename U = value, int... I> __global__ void e(U *p) { p[threadIdx.x] = (I + ... + 0); }
}
}
struct App {
    std::map<std::string, std::function<void(int *)>> m;
    static void launch(int *p) { d<<<1, 32>>>(p); }
    App()
    {
        m["d"] = launch;
        m["e"] = [](int *p) { inner::e<int, 1, 2, 3><<<1, 4>>>(p); };
        m["d64"] = [n = 64](int *p) { d<<<1, n>>>(p); };
    }
};
enum class Mode { fast, slow };
template <Mode M> __global__ void mode(int *p)
{
    if constexpr (M == Mode::fast)
        *p = 1;
    else
        *p = 2;
}
template <class T> void dispatch(T *p, Mode m)
{
    switch (m) {
    case Mode::fast:
        mode<Mode::fast><<<1, 1>>>(p);
        break;
    default:
        mode<Mode::slow><<<1, 1>>>(p);
    }
}
__global__ void cmp(int *p, int n)
{
    if (n > 3 && blockIdx.x < gridDim.x >> 1) p[0] = 1 << 3 >> 1;
}
__device__ inline int add(int a, int b = 2) { return a + b; }
#ifdef __CUDACC__
__global__ void last(int *p, size_t n, bool flag)
{
    const auto f = [&](int k) -> int { return add(k) + (flag ? 1 : 0); };
    for (size_t i = 0; i < n; ++i) p[i] = f(int(i));
}
#endif
int main()
{
    float *f;
    double *q;
    int *p;
    cudaMallocManaged(&f, 4096);
    cudaMallocManaged(&q, 4096);
    cudaMallocManaged(&p, 4096);
    for (int i = 0; i < 64; i++) f[i] = i;
    CALL((a<<<1, 64, 64 * sizeof(float)>>>(f)));
    CALL((b<<<dim3{1}, dim3{32, 1, 1}, 32 * sizeof(double)>>>(q)));
    cudaDeviceSynchronize();
    if (f[0] != 63 || q[0] != 1) return 1;
    c<<<1, 32, 32 * sizeof(float)>>>(f);
    c<double><<<1, 32, 256>>>(q);
    cudaDeviceSynchronize();
    if (f[0] != 2 || q[31] != 0) return 2;
    App app;
    app.m["d"](p);
    cudaDeviceSynchronize();
    if (p[0] != 35) return 3;
    app.m.at("e")(p);
    cudaDeviceSynchronize();
    if (p[3] != 6) return 4;
    RUN(d, p);
    cudaStreamCreate(&g_stream);
    RUN(cmp, p, 4);
    cudaDeviceSynchronize();
    if (p[0] != 4) return 5;
    dispatch(p, Mode::slow);
    cudaDeviceSynchronize();
    if (*p != 2) return 6;
    int n = 100;
    last<<<CEIL(n, 128), n > 50 ? 1 : 2, (n >> 3) > 2 ? 0 : 16, g_stream ? g_stream : nullptr>>>(p, 10, n >= 5);
    cudaDeviceSynchronize();
    if (p[9] != 12) return 7;
    [&] { last<<<1, 1>>>(p, 1, false); }();
    if (cudaDeviceSynchronize() == cudaSuccess)
        last<<<1, 1>>>(p, 2, true);
    else
        return 8;
    for (auto k : {d, d}) k<<<1, 32>>>(p);
    void (*tab[])(int *) = {d, mode<Mode::fast>};
    (*tab[1])<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    if (*p != 1) return 9;
    auto kern = &inner::e<int, 5>;
    kern<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    if (*p != 5) return 10;
    std::vector<cudaStream_t> ss(3);
    for (auto &&s : ss) cudaStreamCreate(&s), inner::e<int, 7><<<1, 1, 0, s>>>(p), cudaStreamSynchronize(s);
    if (*p != 7) return 11;
    puts("ok");
}