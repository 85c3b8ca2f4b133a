// Random numbers, areas by counting, fractals in strips, vectors of four, powers, bits.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DERRORS=3 -DSTRIPS=7
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DSTRIPS=3 -DERRORS=2
// variant: -DSTYLE=3
// variant: -DSTYLE=3 -DSTRIPS=2
// variant: -DSTYLE=4
// variant: -DSTYLE=5
// variant: -DSTYLE=1 -DERRORS=3 -DSTRIPS=7 -O0
// variant: -DSTYLE=2 -DSTRIPS=3 -DERRORS=2 -std=c++20 -O3
// variant: -DSTYLE=3 -DSTRIPS=2 -G
// variant: -DSTYLE=5 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = global-race
// wrong: -DSTYLE=2 -DWRONG=1 = host-race
// wrong: -DSTYLE=3 -DWRONG=1 = misaligned
// wrong: -DSTYLE=3 -DWRONG=2 = out-of-bounds
// wrong: -DSTYLE=4 -DWRONG=1 = shared-race
// wrong: -DSTYLE=2 -DWRONG=2 = race,host-race
#include "helper.h"
#ifndef STRIPS
#define STRIPS 4
#endif
enum { N = 64 * STRIPS * 16 };
__device__ unsigned next(unsigned &state) { return state = state * 1664525u + 1013904223u; }
__global__ void pi(unsigned long long *inside, int rounds)
{
    unsigned state = blockIdx.x * blockDim.x + threadIdx.x, mine = 0;
    for (int i = 0; i < rounds; i++) {
        float x = next(state) * (1.0f / 4294967296.0f), y = next(state) * (1.0f / 4294967296.0f);
        mine += x * x + y * y < 1;
    }
    if (WRONG) *inside += mine;
    else atomicAdd(inside, (unsigned long long)mine);
}
__global__ void mandelbrot(unsigned char *out, int first, int width, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= rows) return;
    float cr = -2 + 3.0f * x / width, ci = -1 + 2.0f * (first + y) / (STRIPS * 16), zr = 0, zi = 0;
    int n = 0;
    while (n < 100 && zr * zr + zi * zi < 4) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
    }
    out[y * width + x] = (unsigned char)n;
}
__global__ void fours(const float4 *a, float4 *b, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float4 v = a[i];
        v.x += 1, v.y += 2, v.z += 3, v.w += 4;
        b[i] = v;
    }
}
__global__ void mixed(const float *in, float2 *out)
{
    __shared__ float2 pairs[64];
    __shared__ union { float f; unsigned u; } bits[64];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    pairs[t] = make_float2(in[i], sqrtf(fabsf(in[i])));
    bits[t].f = in[i];
    if (!WRONG) __syncthreads();
    float2 other = pairs[t ^ 33];
    out[i] = make_float2(other.x + (float)__popc(bits[63 - t].u), other.y);
}
__global__ void shapes(int *out)
{
    int i = (blockIdx.z * gridDim.y * gridDim.x + blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x * blockDim.y * blockDim.z +
            (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[i] = __clz(i + 1) + __brev(i) % 7 + __ffs(i);
}
int main()
{
    bool right = true;
#if STYLE == 1
    unsigned long long *inside, n = 0;
    CHECK(cudaMalloc(&inside, sizeof n));
    CHECK(cudaMemcpy(inside, &n, sizeof n, cudaMemcpyHostToDevice));
    pi<<<STRIPS, 64>>>(inside, 100);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&n, inside, sizeof n, cudaMemcpyDeviceToHost));
    double found = 4.0 * n / (STRIPS * 64 * 100);
    right = found > 3 && found < 3.3;
    CHECK(cudaFree(inside));
#elif STYLE == 2
    unsigned char *d[STRIPS], *h;
    cudaStream_t s[STRIPS];
    CHECK(cudaMallocHost(&h, N));
    for (int k = 0; k < STRIPS; k++) {
        CHECK(cudaStreamCreate(&s[k]));
        CHECK(cudaMalloc(&d[k], 64 * 16));
        mandelbrot<<<dim3(1, 16), 64, 0, s[k]>>>(d[k], k * 16, 64, 16);
        CHECK_LAUNCH();
        CHECK(cudaMemcpyAsync(h + (WRONG == 2 ? 0 : k * 64 * 16), d[k], 64 * 16, cudaMemcpyDeviceToHost, s[k]));
    }
    long sum = 0;
    for (int k = 0; k < STRIPS; k++) {
        if (WRONG != 1) CHECK(cudaStreamSynchronize(s[k]));
        for (int i = 0; i < 64 * 16; i++) sum += h[k * 64 * 16 + i];
    }
    right = sum > 1000;
    for (int k = 0; k < STRIPS; k++) {
        CHECK(cudaStreamDestroy(s[k]));
        CHECK(cudaFree(d[k]));
    }
    CHECK(cudaFreeHost(h));
#elif STYLE == 3
    float *a, *b;
    std::vector<float> h(N, 1.0f), got(N);
    CHECK(cudaMalloc(&a, N * sizeof *a));
    CHECK(cudaMalloc(&b, N * sizeof *b));
    CHECK(cudaMemcpy(a, h.data(), N * sizeof *a, cudaMemcpyHostToDevice));
    fours<<<4, 64>>>((const float4 *)(a + (WRONG == 1)), (float4 *)b, N / 4 - (WRONG == 1) + (WRONG == 2));
    CHECK(cudaMemcpy(got.data(), b, N * sizeof *b, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) right = right && got[i] == 2 + i % 4;
    cudaFree(a), cudaFree(b);
#elif STYLE == 4
    float *a;
    float2 *b;
    std::vector<float> h(256, 4.0f);
    std::vector<float2> got(256);
    CHECK(cudaMalloc(&a, 256 * sizeof *a));
    CHECK(cudaMalloc(&b, 256 * sizeof *b));
    CHECK(cudaMemcpy(a, h.data(), 256 * sizeof *a, cudaMemcpyHostToDevice));
    mixed<<<4, 64>>>(a, b);
    CHECK(cudaMemcpy(got.data(), b, 256 * sizeof *b, cudaMemcpyDeviceToHost));
    for (float2 v : got) right = right && v.y == 2;
    cudaFree(a), cudaFree(b);
#else
    int *d, got[2 * 3 * 2 * 64];
    CHECK(cudaMalloc(&d, sizeof got));
    shapes<<<dim3(2, 3, 2), dim3(8, 4, 2)>>>(d);
    CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    right = got[0] == 31 && got[1] > 0;
    CHECK(cudaFree(d));
#endif
    return verdict(right);
}
