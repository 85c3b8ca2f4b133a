#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

int c_part(void);
int c_part(void)
{
    int *d, value = 42, back = 0;
    cudaStream_t s;
    struct cudaDeviceProp prop;
    struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
    float4 v = make_float4(1, 2, 3, 4);
    nvtxRangePush("c");
    if (cudaGetDeviceProperties(&prop, 0) || cudaStreamCreate(&s) || cudaMallocManaged((void **)&d, sizeof *d, 1))
        return 1;
    cudaMemcpyAsync(d, &value, sizeof value, cudaMemcpyHostToDevice, s);
    cudaMemPrefetchAsync(d, sizeof *d, host, 0, s);
    cudaMemPrefetchAsync(d, sizeof *d, cudaCpuDeviceId, s);
    cudaDeviceSynchronize();
    cudaMemcpy(&back, d, sizeof back, cudaMemcpyDeviceToHost);
    nvtxRangePop();
    return cudaGetLastError() || v.w != 4 || cudaFree(d) ? 2 : back;
}
