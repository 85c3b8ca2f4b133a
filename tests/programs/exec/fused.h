/* a * b + c with -fmad=true, without, and what is never made of it: e * e = 1 + 2^-11 + 2^-24, which a float cannot hold. */
#include <stdio.h>

__global__ void plain(const float *e, float *o) { o[0] = e[0] * e[0] + e[1]; }
__global__ void product(const float *e, float *o) { o[1] = __fmul_rn(e[0], e[0]) + e[1]; }
__global__ void sum(const float *e, float *o) { o[2] = __fadd_rn(e[0] * e[0], e[1]); }
__global__ void asked(const float *e, float *o) { o[3] = fmaf(e[0], e[0], e[1]); }

int main()
{
    float *e, *o;
    cudaMallocManaged(&e, 2 * sizeof *e);
    cudaMallocManaged(&o, 4 * sizeof *o);
    e[0] = 1 + 1.f / 4096;
    e[1] = -(1 + 1.f / 2048);
    plain<<<1, 1>>>(e, o);
    product<<<1, 1>>>(e, o);
    sum<<<1, 1>>>(e, o);
    asked<<<1, 1>>>(e, o);
    cudaDeviceSynchronize();
#if defined(__x86_64__)
    bool can = __builtin_cpu_supports("fma");
#else
    bool can = true;
#endif
    bool fused = o[0] == o[3] && o[3] > 0;
    printf("%s, %g %g\n", fused ? "fused" : can || !WANTED ? "not fused" : "fused, if it could", o[1], o[2]);
    cudaFree(e);
    cudaFree(o);
}
