// A stencil, a diamond of events over three streams, a ring of pinned buffers.
// flags: -std=c++17
// run: THREELANE_MODEL=h200
// out: ok
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>
#include <random>
#include <memory>
#include <iostream>
#include <iomanip>
#include <cmath>
#define CK(call)                                                                                        \
    do {                                                                                                \
        cudaError_t result = call;                                                                      \
        if (result != cudaSuccess) {                                                                    \
            fprintf(stderr, "%s:%i: %d, %s\n", __FILE__, __LINE__, result, cudaGetErrorString(result)); \
            std::exit(1);                                                                               \
        }                                                                                               \
    } while (0)
__global__ void step(const float *__restrict__ in, float *__restrict__ out, int w, int h)
{
    extern __shared__ float s[];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, pitch = blockDim.x + 2,
        lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    auto at = [&](int i, int j) {
        i = ::min(::max(i, 0), w - 1);
        j = ::min(::max(j, 0), h - 1);
        return in[j * w + i];
    };
    s[ly * pitch + lx] = at(x, y);
    if (threadIdx.x == 0) s[ly * pitch] = at(x - 1, y);
    if (threadIdx.x == blockDim.x - 1) s[ly * pitch + lx + 1] = at(x + 1, y);
    if (threadIdx.y == 0) s[lx] = at(x, y - 1);
    if (threadIdx.y == blockDim.y - 1) s[(ly + 1) * pitch + lx] = at(x, y + 1);
    __syncthreads();
    if (x < w && y < h)
        out[y * w + x] =
            s[ly * pitch + lx] + 0.1f * (s[ly * pitch + lx - 1] + s[ly * pitch + lx + 1] + s[(ly - 1) * pitch + lx] +
                                         s[(ly + 1) * pitch + lx] - 4 * s[ly * pitch + lx]);
}
__global__ void busy(int us)
{
    unsigned long long s, e;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(s));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(e));
    } while (e - s < us * 1000ull);
}
__global__ void mul(float *p, int n, float k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= k;
}
int main()
{
    const int w = 50, h = 37, iters = 10;
    std::vector<float> a(w * h), b(w * h);
    std::default_random_engine eng(7);
    std::normal_distribution<float> nd;
    for (auto &v : a) v = nd(eng);
    float *d[2];
    CK(cudaMalloc(&d[0], a.size() * 4));
    CK(cudaMalloc(&d[1], a.size() * 4));
    CK(cudaMemcpy(d[0], a.data(), a.size() * 4, cudaMemcpyHostToDevice));
    dim3 bl(16, 8), gr((w + 15) / 16, (h + 7) / 8);
    for (int i = 0; i < iters; i++) {
        step<<<gr, bl, (bl.x + 2) * (bl.y + 2) * sizeof(float)>>>(d[i % 2], d[(i + 1) % 2], w, h);
        CK(cudaGetLastError());
    }
    std::vector<float> r = a, t = a;
    for (int i = 0; i < iters; i++) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                auto at = [&](int p, int q) {
                    p = std::clamp(p, 0, w - 1);
                    q = std::clamp(q, 0, h - 1);
                    return r[q * w + p];
                };
                t[y * w + x] =
                    at(x, y) + .1f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y));
            }
        std::swap(r, t);
    }
    CK(cudaMemcpy(b.data(), d[iters % 2], b.size() * 4, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < b.size(); i++)
        if (std::abs(b[i] - r[i]) > 1e-4) return 1;
    // diamond: A -> (B, C) -> D
    cudaStream_t s[3];
    cudaEvent_t ev[3];
    for (auto &x : s) CK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    for (auto &x : ev) CK(cudaEventCreateWithFlags(&x, cudaEventDisableTiming));
    cudaEvent_t t0, t1;
    CK(cudaEventCreate(&t0));
    CK(cudaEventCreate(&t1));
    busy<<<1, 1, 0, s[0]>>>(1);
    CK(cudaDeviceSynchronize());
    CK(cudaEventRecord(t0, s[0]));
    busy<<<1, 1, 0, s[0]>>>(1000);
    CK(cudaEventRecord(ev[0], s[0]));
    for (int i = 1; i < 3; i++) {
        CK(cudaStreamWaitEvent(s[i], ev[0], 0));
        busy<<<1, 1, 0, s[i]>>>(2000);
        CK(cudaEventRecord(ev[i], s[i]));
        CK(cudaStreamWaitEvent(s[0], ev[i]));
    }
    busy<<<1, 1, 0, s[0]>>>(1000);
    CK(cudaEventRecord(t1, s[0]));
    CK(cudaEventSynchronize(t1));
    float ms;
    CK(cudaEventElapsedTime(&ms, t0, t1));
    std::cout << std::fixed << std::setprecision(1) << ms << " ms\n";
    if (ms < 3.9f || ms > 5.f) return 2;
    // ring
    const int SLOTS = 3, CHUNKS = 12, C = 256;
    float *slot[SLOTS], *dev[SLOTS];
    cudaEvent_t freed[SLOTS];
    std::vector<float> src(CHUNKS * C), dst(CHUNKS * C);
    std::generate(src.begin(), src.end(), [n = 0]() mutable { return float(n++); });
    for (int i = 0; i < SLOTS; i++) {
        CK(cudaHostAlloc(&slot[i], C * 4, cudaHostAllocPortable));
        CK(cudaMalloc(&dev[i], C * 4));
        CK(cudaEventCreate(&freed[i]));
    }
    for (int c = 0; c < CHUNKS + SLOTS; c++) {
        int k = c % SLOTS;
        if (c >= SLOTS) {
            CK(cudaEventSynchronize(freed[k]));
            std::copy_n(slot[k], C, &dst[(c - SLOTS) * C]);
        }
        if (c < CHUNKS) {
            std::copy_n(&src[c * C], C, slot[k]);
            CK(cudaMemcpyAsync(dev[k], slot[k], C * 4, cudaMemcpyHostToDevice, s[k]));
            mul<<<1, C, 0, s[k]>>>(dev[k], C, 3.f);
            CK(cudaMemcpyAsync(slot[k], dev[k], C * 4, cudaMemcpyDeviceToHost, s[k]));
            CK(cudaEventRecord(freed[k], s[k]));
        }
    }
    for (int i = 0; i < CHUNKS * C; i++)
        if (dst[i] != 3 * src[i]) return 3;
    puts("ok");
    return 0;
}