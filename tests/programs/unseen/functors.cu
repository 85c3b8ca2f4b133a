// Templates, functors, device lambdas, device function pointers, kernels in expressions.
// flags: -std=c++14 --extended-lambda
// out: 8
#include <cstdio>
#include <vector>
#include <cmath>
#include <algorithm>
namespace ops
{
struct Add {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct Mul {
    template <class T> __host__ __device__ __forceinline__ T operator()(T a, T b) const { return a * b; }
};
template <class T> struct Scale {
    T k;
    __host__ __device__ explicit Scale(T k) : k(k) {}
    __device__ T operator()(T a) const { return k * a; }
};
template <class T> struct Max {
    static constexpr T identity = T(-1e30);
    __device__ __host__ T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
namespace detail
{
template <int N> struct Log2 {
    enum { value = 1 + Log2<N / 2>::value };
};
template <> struct Log2<1> {
    enum { value = 0 };
};
}
}
template <class T, class Op> __global__ void zip(const T *a, const T *b, T *c, int n, Op op)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) c[i] = op(a[i], b[i]);
}
template <class T, class F> __global__ void transform(T *a, int n, F f)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) a[i] = f(a[i]);
}
template <class F> __global__ void parallel_for_kernel(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) f(i);
}
template <class F> void parallel_for(int n, F &&f, cudaStream_t s = nullptr)
{
    parallel_for_kernel<<<(n + 127) / 128, 128, 0, s>>>(n, f);
}
template <class F, class... A> __global__ void generic(F f, A... a) { f(a...); }
using unary = float (*)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ unary table[] = {twice, square};
__device__ unary d_sq = square;
__global__ void via_table(float *p, int which) { p[threadIdx.x] = table[which](p[threadIdx.x]); }
__global__ void via_pointer(float *p, unary f) { p[threadIdx.x] = (*f)(p[threadIdx.x]); }
typedef struct {
    float *data;
    int n;
    float bias[3];
    struct {
        int a;
        double b;
    } inner;
} Params;
__global__ void with_struct(Params p)
{
    if (threadIdx.x < p.n) p.data[threadIdx.x] += p.bias[threadIdx.x % 3] + p.inner.b;
}
template <template <class> class F, class T> __global__ void tt(T *p)
{
    F<T> f(T(3));
    p[threadIdx.x] = f(p[threadIdx.x]);
}
template <bool B> __global__ void flag(int *p)
{
    if (B)
        *p = 1;
    else
        *p = 2;
}
class Solver
{
    float *d;
    int n;

public:
    Solver(int n) : n(n)
    {
        cudaMallocManaged(&d, n * sizeof(float));
        for (int i = 0; i < n; i++) d[i] = i;
    }
    ~Solver() { cudaFree(d); }
    template <class Op> void apply(Op op)
    {
        transform<float, Op><<<dim3((n + 31) / 32), dim3(32)>>>(d, n, op);
        cudaDeviceSynchronize();
    }
    void lambda(float k)
    {
        float *p = d;
        int m = n;
        parallel_for(n, [=] __device__(int i) {
            if (i < m) p[i] += k;
        });
        cudaDeviceSynchronize();
    }
    float operator[](int i) const { return d[i]; }
};
int main()
{
    const int n = 1000;
    float *a, *b, *c;
    cudaMallocManaged(&a, n * 4);
    cudaMallocManaged(&b, n * 4);
    cudaMallocManaged(&c, n * 4);
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 2;
    zip<<<(n + 255) / 256, 256>>>(a, b, c, n, ops::Add{});
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        if (c[i] != i + 2) return 1;
    zip<<<(n + 255) / 256, 256>>>(a, b, c, n, ops::Mul());
    transform<<<4, 256>>>(c, n, ops::Scale<float>(.5f));
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        if (c[i] != i) return 2;
    zip<float, ops::Max<float>><<<4, 256>>>(a, b, c, n, {});
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        if (c[i] != std::max(a[i], b[i])) return 3;
    parallel_for(n, [=] __device__(int i) { c[i] = sqrtf(a[i]) + 1; });
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        if (std::fabs(c[i] - (std::sqrt(float(i)) + 1)) > 1e-5f) return 4;
    float k = 4;
    auto g = [=] __device__(float *p, float v) { p[blockIdx.x] = v * k; };
    generic<<<3, 1>>>(g, c, 5.f);
    cudaDeviceSynchronize();
    if (c[0] != 20 || c[2] != 20) return 5;
    via_table<<<1, 4>>>(a, 1);
    cudaDeviceSynchronize();
    if (a[3] != 9) return 7;
    unary h;
    cudaMemcpyFromSymbol(&h, d_sq, sizeof(unary));
    via_pointer<<<1, 4>>>(a, h);
    cudaDeviceSynchronize();
    if (a[3] != 81) return 8;
    Params p = {a, 4, {1, 2, 3}, {7, .5}};
    with_struct<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    if (a[3] != 82.5f) return 9;
    tt<ops::Scale><<<1, 1>>>(b);
    cudaDeviceSynchronize();
    if (b[0] != 6) return 10;
    int *q;
    cudaMallocManaged(&q, 4);
    (n > 5 ? flag<true> : flag<false>)<<<1, 1>>>(q);
    cudaDeviceSynchronize();
    if (*q != 1) return 11;
    void (*kp)(int *) = flag<false>;
    kp<<<1, 1>>>(q);
    cudaDeviceSynchronize();
    if (*q != 2) return 12;
    Solver s(100);
    s.apply(ops::Scale<float>{2});
    s.lambda(1);
    if (s[10] != 21) return 13;
    printf("%d\n", (int)ops::detail::Log2<256>::value);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(q);
}