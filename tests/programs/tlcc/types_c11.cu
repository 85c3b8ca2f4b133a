// The headers of types need no more than C++11, as strictly as it is asked for, and are silent.
// flags: -std=c++11 -Wall -Wextra -Werror all-warnings
// out: 3 0.5 3.25 16
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>
#include <mma.h>
#include <stdio.h>

__global__ void k(float *o)
{
    curandStatePhilox4_32_10_t s;
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;
    curand_init(1, threadIdx.x, 0, &s);
    nvcuda::wmma::fill_fragment(f, 2.f);
    if (threadIdx.x) return;
    o[0] = __half2float(__half(1.5f) * __half(2));
    o[1] = (float)__nv_bfloat16(curand_uniform(&s) < 2 ? 0.5f : 0.f);
    o[2] = (float)__nv_fp8_e4m3(3.3f);
    o[3] = f.x[0] * f.num_elements;
}

int main()
{
    float *o;
    cudaMallocManaged(&o, 4 * sizeof *o);
    k<<<1, 32>>>(o);
    cudaDeviceSynchronize();
    printf("%g %g %g %g\n", o[0], o[1], o[2], o[3]);
    cudaFree(o);
}
