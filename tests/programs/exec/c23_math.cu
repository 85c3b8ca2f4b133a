// CUDA's functions that C23 has, too: a C library that declares them (glibc from 2.41 on) is in nobody's way.
// out: 0.5 -1 1 0.25 0.25
#include <cstdio>

extern "C" {
extern double sinpi(double) noexcept;
extern float sinpif(float) noexcept;
extern double cospi(double) noexcept;
extern float cospif(float) noexcept;
extern double rsqrt(double) noexcept;
extern float rsqrtf(float) noexcept;
}
#include <cmath>

__global__ void kernel(double *out)
{
    out[0] = sinpi(1.0 / 6);
    out[1] = cospi(1.0);
    out[2] = sinpif(0.5f) + cospif(0.5f);
    out[3] = rsqrt(16.0);
    out[4] = rsqrt(16.0f);
}

int main()
{
    double *out;
    cudaMallocManaged(&out, 5 * sizeof *out);
    kernel<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%.3g %.3g %.3g %.3g %.3g\n", out[0], out[1], out[2], out[3], out[4]);
    cudaFree(out);
}
