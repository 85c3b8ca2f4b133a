// Five kernels as courses and benchmarks have them, each beside the loop that does the same in C (scalar, -O2, in the
// same process). `run` builds this twice, with checks and --plain, and prints what they make of each other.
// A line is: what, kernel ns, loop ns, for one round of all the work, launch and publication included.
#include "kernels.h"

enum { SIDE = 512, WIDE = 1024, BINS = 256 };

__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
__global__ void stencil(const float *from, float *to, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * n + x;
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - n] + from[i + n]);
}
__global__ void reduction(const float *from, float *to)
{
    __shared__ float part[256];
    part[threadIdx.x] = from[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int half = blockDim.x / 2; half; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) to[blockIdx.x] = part[0];
}
__global__ void histogram(const unsigned char *from, unsigned *bins, int n)
{
    __shared__ unsigned part[BINS];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&part[from[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}

SCALAR static void c_matmul(const float *a, const float *b, float *c, int n)
{
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            float sum = 0;
            SCALAR_LOOP
            for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
}
SCALAR static void c_stencil(const float *from, float *to, int n)
{
    for (int y = 1; y < n - 1; y++) {
        SCALAR_LOOP
        for (int x = 1; x < n - 1; x++) {
            int i = y * n + x;
            to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - n] + from[i + n]);
        }
    }
}
SCALAR static void c_reduction(const float *from, float *to, int n)
{
    for (int i = 0; i < n; i += 256) {
        float sum = 0;
        SCALAR_LOOP
        for (int k = 0; k < 256; k++) sum += from[i + k];
        to[i / 256] = sum;
    }
}
SCALAR static void c_histogram(const unsigned char *from, unsigned *bins, int n)
{
    SCALAR_LOOP
    for (int i = 0; i < n; i++) bins[from[i]]++;
}

/* Turn and turn about: the machine changes its pace. */
template <class Kernel, class Scalar> static void both(const char *what, Kernel launch, Scalar work)
{
    double kernel = 1e18, scalar = 1e18;
    for (int i = 0; i < 5; i++) {
        double begin = reference_cpu_ns();
        launch();
        cudaDeviceSynchronize();
        double k = reference_cpu_ns() - begin;
        begin = reference_cpu_ns();
        work();
        double c = reference_cpu_ns() - begin;
        if (k < kernel) kernel = k;
        if (c < scalar) scalar = c;
    }
    printf("%s %.0f %.0f\n", what, kernel, scalar);
}

int main()
{
    static float a[N], b[N], c[N];
    unsigned *bins, host_bins[BINS] = {};
    prepare();
    cudaMalloc(&bins, sizeof host_bins);
    cudaMemset(bins, 0, sizeof host_bins);

    both("matmul", [] { matmul<<<dim3(SIDE / 16, SIDE / 16), dim3(16, 16)>>>(x, x + SIDE * SIDE, y, SIDE); },
         [] { c_matmul(a, b, c, SIDE); });
    both("saxpy", [] { saxpy<<<N / 256, 256>>>(N, 2, x, y); }, [] { c_saxpy(N, 2, a, b); });
    both("stencil", [] { stencil<<<dim3(WIDE / 32, WIDE / 8), dim3(32, 8)>>>(x, y, WIDE); },
         [] { c_stencil(a, b, WIDE); });
    both("reduction", [] { reduction<<<N / 256, 256>>>(x, y); }, [] { c_reduction(a, b, N); });
    both("histogram", [=] { histogram<<<64, BINS>>>((const unsigned char *)x, bins, N * 4); },
         [&] { c_histogram((const unsigned char *)a, host_bins, N * 4); });
    return cudaGetLastError();
}
