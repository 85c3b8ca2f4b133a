// The five kernels, each beside the loop that does the same in C (scalar, -O2, in the
// same process). `run` builds this twice, with checks and --plain, and prints what they make of each other.
// The default build checks the first 67 million accesses, and then samples; the matrix product comes first, and makes more.
// A line is: what, kernel ns, loop ns, for one round of all the work, launch and publication included.
#include <cstring>
#include "five.h"

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
    memset(a, 0, sizeof a); /* what was never written is one page, whatever is read of it */
    memset(b, 0, sizeof b);
    cudaMemset(x, 0x3d, N * sizeof *x); // values that change what they are added to
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
