// The driver API in C: a C file compiled beside this one makes the calls, on a kernel's handle that it is given.
// flags: -lcuda
// with: c_driver_part.c
// out: 42 from C
#include <cuda.h>
#include <cstdio>
extern "C" int c_part(CUfunction add);
extern "C" __global__ void add(int *p, int by) { *p += by; }
int main()
{
    CUfunction function;
    if (cuInit(0) || cudaGetFuncBySymbol(&function, (const void *)add)) return 1;
    printf("%d from C\n", c_part(function));
    return 0;
}
