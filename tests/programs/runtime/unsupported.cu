// A call that is known and not simulated: named, with its line.
// out: before
// status: 96
// err: unsupported.cu:12: cudaIpcGetMemHandle is not simulated
#include <cstdio>
int main()
{
    cudaIpcMemHandle_t handle;
    float *d;
    cudaMalloc(&d, 4);
    printf("before\n");
    cudaIpcGetMemHandle(&handle, d);
    printf("after\n");
    return 0;
}
