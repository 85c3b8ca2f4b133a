// Launches from headers, macros and templates of C++20; cuda.h and cuComplex.h beside the runtime.
// flags: -std=c++20
// out: ok
#include "gpu.cuh"
#include <cuda.h>
#include <cuComplex.h>
#include <span>
#include <concepts>
#include <bit>
#include <numbers>
#include <cstdio>
#include <vector>
void check(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
        std::exit(1);
    }
}
template <std::floating_point T> __global__ void norm(T *p, std::size_t n)
{
    if (auto i = blockIdx.x * blockDim.x + threadIdx.x; i < n) p[i] = p[i] * std::numbers::pi_v<T>;
}
template <typename T>
requires std::integral<T> __global__ void bits(T *p) { p[threadIdx.x] = __popc(p[threadIdx.x]); }
__global__ void mandel(int *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    cuFloatComplex c = make_cuFloatComplex(x * 3.f / w - 2, y * 2.f / h - 1), z = make_cuFloatComplex(0, 0);
    int n = 0;
    while (n < 64 && cuCabsf(z) <= 2) {
        z = cuCaddf(cuCmulf(z, z), c);
        n++;
    }
    out[y * w + x] = n;
}
struct Config {
    dim3 grid;
    dim3 block{128};
    size_t smem = 0;
    cudaStream_t stream = nullptr;
};
template <class K, class... A> void launch(const Config &c, K kernel, A &&...args)
{
    kernel<<<c.grid, c.block, c.smem, c.stream>>>(std::forward<A>(args)...);
    check(cudaGetLastError());
}
#define KERNEL_LAUNCH(NAME, N, ...)                          \
    do {                                                     \
        const int threads_ = 256;                            \
        const int blocks_ = ((N) + threads_ - 1) / threads_; \
        NAME<<<blocks_, threads_>>>(__VA_ARGS__);            \
        check(cudaPeekAtLastError());                        \
    } while (0)
#define GRID <<<2, 64>>>
#define CUDA_KERNEL_LOOP(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define DEF_KERNEL(name, expr)            \
    __global__ void name(float *p, int n) \
    {                                     \
        CUDA_KERNEL_LOOP(i, n)            \
        {                                 \
            float x = p[i];               \
            p[i] = (expr);                \
        }                                 \
    }
DEF_KERNEL(plus_one, x + 1)
DEF_KERNEL(doubled, x * 2)
static __global__ __launch_bounds__(256, 2) void split_lines(float *__restrict__ p, // data
                                                             int n                  /* count */
)
{
    CUDA_KERNEL_LOOP(i, n)
    p[i] -= 1;
}
void __global__ backwards(float *p) { p[threadIdx.x] += 100; }
static __global__ void inl(float *p) { p[threadIdx.x] += 1; }
int main()
{
    std::vector<float> h(300, 1.f);
    float *d;
    check(cudaMalloc(&d, h.size() * sizeof(float)));
    check(cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice));
    launch({.grid = 3}, norm<float>, d, h.size());
    KERNEL_LAUNCH(plus_one, 300, d, 300);
    KERNEL_LAUNCH(doubled, (int)h.size(), d, 300);
    split_lines<<<dim3(2, 1, 1), // grid
                  dim3(64)>>>(d, 300);
    backwards<<<1, 32>>>(d);
    inl<<<1, 32>>>(d);
    plus_one GRID(d, 300);
    if (h.size() > 1)
        split_lines<<<1, 32>>>(d, 300);
    else
        split_lines<<<1, 32>>>(d, 0);
    for (int i : {0, 1, 2}) i % 2 ? plus_one<<<1, 32>>>(d, 300) : doubled<<<1, 32>>>(d, 300);
    gpu::scale(d, 300, 2.f);
    gpu::Vector<float> v(10);
    v.fill(4);
    if (v.sum() != 40) return 1;
    check(cudaMemcpy(h.data(), d, h.size() * sizeof(float), cudaMemcpyDeviceToHost));
    float e = ((std::numbers::pi_v<float> + 1) * 2 - 1 + 1 - 1);
    float e5 = ((e * 2 + 1) * 2) * 2, e0 = (((e + 101) * 2 + 1) * 2) * 2;
    if (fabs(h[200] - e5) > 1e-3 || fabs(h[5] - e0) > 1e-2) return printf("%f %f %f %f\n", h[200], e5, h[5], e0), 2;
    int *q;
    check(cudaMallocManaged(&q, 40 * 30 * 4));
    for (int i = 0; i < 32; i++) q[i] = i;
    bits<<<1, 32>>>(q);
    check(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        if (q[i] != std::popcount((unsigned)i)) return 3;
    mandel<<<dim3(3, 2), dim3(16, 16)>>>(q, 40, 30);
    check(cudaDeviceSynchronize());
    std::span s(q, 1200);
    if (s[15 * 40 + 26] != 64 || s[0] > 3) return 4;
    auto lam = [&](cudaStream_t st) {
        plus_one<<<1, 32, 0, st>>>(d, 1);
        return cudaStreamSynchronize(st);
    };
    check(lam(0));
    [[maybe_unused]] auto [a, b] = std::pair{1, 2};
    static_assert(CUDA_VERSION >= 12000 && CUDART_VERSION >= 12000);
    check(cudaFree(d));
    check(cudaFree(q));
    puts("ok");
}