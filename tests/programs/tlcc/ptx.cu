// Inline PTX that looks at special registers, or says what plain C++ says.
// out: PTX is understood
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__managed__ unsigned out[64];
__managed__ unsigned long long stamps[4];

#define LANE(x) asm("mov.u32 %0, %%laneid;" : "=r"(x))

__device__ unsigned sm()
{
    unsigned r;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(r));
    return r;
}
__global__ void look(unsigned *p, unsigned long long *t)
{
    unsigned lane, warp, x;
    unsigned long long a, b, c;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a) :: "memory");
    LANE(lane);
    asm volatile("mov.u32 %0, %%warpid;\n\t"
                 "mov.u32 %1, %%tid.x;" : "=r"(warp), "=r"(x));
    __asm__ __volatile__("mov.u64 %0, %%clock64;" : "=l"(b));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(c));
    asm volatile("" ::: "memory");
    asm volatile("membar.gl;");
    unsigned sum;
    asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(lane), "r"(warp * 32));
    asm volatile("st.global.u32 [%0], %1;" :: "l"(p + x), "r"(sum + sm() * 1000) : "memory");
    if (x == 0) { t[0] = a; t[1] = b; t[2] = c; }
}

int main()
{
    look<<<1, 64>>>(out, stamps);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned i = 0; i < 64; i++) assert(out[i] % 1000 == i);
    assert(stamps[2] >= stamps[1]);
    puts("PTX is understood");
}
