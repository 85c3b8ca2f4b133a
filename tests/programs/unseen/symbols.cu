// Constant memory and device variables: written, read and addressed by name.
// out: ok
#include <stdio.h>
#include <math.h>
#include <string.h>
#define RADIUS 4
__constant__ float c_coef[2 * RADIUS + 1];
__constant__ struct {
    int w, h;
    float scale;
} cfg;
struct Ball {
    float x, y, r;
    __device__ bool holds(float px, float py) const
    {
        float dx = px - x, dy = py - y;
        return dx * dx + dy * dy < r * r;
    }
};
__constant__ Ball balls[3];
__device__ int counter;
__device__ unsigned int hist[16] = {1, 2};
__device__ float matrix[4][8];
__device__ volatile int flag = 7;
__device__ const float pi_table[3] = {3.14f, 6.28f, 9.42f};
static __device__ double total = 1.5;
__device__ int *pointer;
__managed__ int shared_total = 5;
__device__ __managed__ double vec[3];
__global__ void stencil(const float *in, float *out, int n)
{
    __shared__ float tile[128 + 2 * RADIUS];
    int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
    tile[l] = g < n ? in[g] : 0;
    if (threadIdx.x < RADIUS) {
        tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0.f;
        tile[l + blockDim.x] = g + blockDim.x < n ? in[g + blockDim.x] : 0.f;
    }
    __syncthreads();
    float r = 0;
#pragma unroll
    for (int o = -RADIUS; o <= RADIUS; o++) r += tile[l + o] * c_coef[o + RADIUS];
    if (g < n) out[g] = r;
}
__global__ void globals()
{
    atomicAdd(&counter, 1);
    atomicAdd(&hist[threadIdx.x % 16], 1u);
    matrix[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x * cfg.scale + pi_table[0] * 0;
    if (!threadIdx.x) {
        total *= 2;
        flag = flag + 1;
        shared_total += 10;
        vec[1] = cfg.w;
        if (pointer) *pointer = 77;
    }
}
__global__ void inside(float *out)
{
    int n = 0;
    for (const Ball &b : balls) n += b.holds(threadIdx.x, 0);
    out[threadIdx.x] = n;
}
int main()
{
    const int n = 1000;
    float h[1000], r[1000], coef[9];
    float *d, *o;
    for (int i = 0; i < 9; i++) coef[i] = 0.1f * (i + 1);
    for (int i = 0; i < n; i++) h[i] = i % 17;
    cudaMalloc((void **)&d, sizeof h);
    cudaMalloc((void **)&o, sizeof h);
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_coef, coef, sizeof(coef));
    stencil<<<(n + 127) / 128, 128>>>(d, o, n);
    cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        float e = 0;
        for (int k = -4; k <= 4; k++)
            if (i + k >= 0 && i + k < n) e += h[i + k] * coef[k + 4];
        if (fabsf(e - r[i]) > 1e-3f) {
            printf("%d %f %f\n", i, e, r[i]);
            return 1;
        }
    }
    struct {
        int w, h;
        float scale;
    } hc = {640, 480, 2};
    cudaMemcpyToSymbol(cfg, &hc, sizeof hc, 0, cudaMemcpyHostToDevice);
    int zero = 3;
    cudaMemcpyToSymbol(counter, &zero, sizeof(int));
    int *target;
    cudaMalloc(&target, 4);
    cudaMemset(target, 0, 4);
    cudaMemcpyToSymbol(pointer, &target, sizeof(int *));
    globals<<<1, 32>>>();
    if (cudaDeviceSynchronize()) return 2;
    int hcnt;
    cudaMemcpyFromSymbol(&hcnt, counter, sizeof hcnt);
    if (hcnt != 35) return 3;
    unsigned hh[16];
    cudaMemcpyFromSymbol(hh, hist, sizeof hh);
    if (hh[0] != 3 || hh[1] != 4 || hh[9] != 2) return 4;
    float hm[4][8];
    cudaMemcpyFromSymbol(hm, matrix, sizeof hm, 0);
    if (hm[3][7] != 62) return 5;
    double ht;
    cudaMemcpyFromSymbol(&ht, total, sizeof ht);
    if (ht != 3) return 6;
    if (shared_total != 15 || vec[1] != 640) return 7;
    int t;
    cudaMemcpy(&t, target, 4, cudaMemcpyDeviceToHost);
    if (t != 77) return 8;
    void *addr;
    size_t size;
    if (cudaGetSymbolAddress(&addr, matrix) || cudaGetSymbolSize(&size, matrix) || size != 128) return 9;
    float one;
    cudaMemcpy(&one, (float *)addr + 8 * 2 + 1, 4, cudaMemcpyDeviceToHost);
    if (one != 34) return 10;
    float *mp;
    cudaGetSymbolAddress((void **)&mp, matrix);
    cudaMemset(mp, 0, 128);
    cudaMemcpyFromSymbol(hm, matrix, 4 * 8, 32);
    if (hm[0][0] != 0) return 11;
    Ball temp[3];
    for (int i = 0; i < 3; i++) temp[i] = {i * 4.f, 0, 2};
    cudaStream_t s;
    cudaStreamCreate(&s);
    if (cudaMemcpyToSymbolAsync(balls, temp, sizeof temp, 0, cudaMemcpyHostToDevice, s)) return 12;
    inside<<<1, 16, 0, s>>>(o);
    cudaMemcpyAsync(r, o, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    if (r[0] != 1 || r[2] != 0 || r[9] != 1 || r[15] != 0) return 13;
    if (cudaMemcpyToSymbol(counter, &zero, 400) == cudaSuccess) return 14;
    printf("ok\n");
    return 0;
}