// A call of the driver that is known and not simulated: named, with its line.
// flags: -lcuda
// out: before
// status: 96
// err: refused.cu:12: cuModuleLoadData is not simulated
#include <cuda.h>
#include <cstdio>
int main()
{
    CUmodule module;
    printf("before\n");
    cuModuleLoadData(&module, "a module");
    printf("after\n");
    return 0;
}
