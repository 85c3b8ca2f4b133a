// Errors that are expected and handled, facts of the device, occupancy, attributes, launches by function pointer.
// variant: -DSTYLE=1
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DERRORS=3
// variant: -DSTYLE=3
// variant: -DSTYLE=3 -DERRORS=2
// variant: -DSTYLE=4
// variant: -DSTYLE=5
// variant: -DSTYLE=2 -O0
// variant: -DSTYLE=3 -std=c++20 -O3
// variant: -DSTYLE=4 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=4 -DWRONG=1 -DERRORS=6 = failed-launch
// wrong: -DSTYLE=2 -DWRONG=1 = failed-call
// wrong: -DSTYLE=3 -DWRONG=1 = wrong-memory
// wrong: -DSTYLE=3 -DWRONG=2 = leak
// wrong: -DSTYLE=5 -DWRONG=1 = wrong-memory
// wrong: -DSTYLE=5 -DWRONG=2 = use-after-free
// wrong: -DSTYLE=5 -DWRONG=3 = wrong-memory
// wrong: -DSTYLE=5 -DWRONG=4 = wrong-memory
#include "helper.h"
__global__ void fill(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = i;
}
int main()
{
    bool right = true;
    int *d = NULL, devices = 0, h[100];
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaSetDevice(0));
    memset(h, 0, sizeof h);
#if STYLE == 1      // what does not fit is asked for, and the program goes on
    size_t free_bytes, total;
    CHECK(cudaMemGetInfo(&free_bytes, &total));
    cudaError_t e = cudaMalloc(&d, total * 4);
    right = e == cudaErrorMemoryAllocation && cudaGetLastError() == e && cudaGetLastError() == cudaSuccess;
    CHECK(cudaMalloc(&d, sizeof h));
    fill<<<1, 4096>>>(d, 100);
    right = right && cudaGetLastError() != cudaSuccess;
    fill<<<1, 128>>>(d, 100);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
#elif STYLE == 2
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    int engines = 0, most = 0;
    CHECK(cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, 0));
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, WRONG ? 99 : 0);
    right = prop.warpSize == 32 && engines >= 1 && (most == 1024 || WRONG);
    printf("%s %d.%d\n", prop.name, prop.major, prop.minor);
#elif STYLE == 3
    int blocks = 0, threads = 0, resident = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, fill, 0, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, fill, threads, 0));
    CHECK(cudaMalloc(&d, sizeof h));
    fill<<<(100 + threads - 1) / threads, threads>>>(WRONG == 1 ? h : d, 100);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    right = h[99] == 99 && resident > 0;
#elif STYLE == 4
    CHECK(cudaMalloc(&d, sizeof h));
    void (*kernel)(int *, int) = fill;
    int n = 100;
    void *args[] = {&d, &n};
    CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(128), args, 0, 0));
    kernel<<<1, WRONG ? 2048 : 128>>>(d, n);
    if (!WRONG) CHECK(cudaPeekAtLastError());
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    right = h[7] == 7;
#else
    int *pinned, *managed, *pageable = (int *)malloc(400);
    CHECK(cudaMalloc(&d, 400));
    CHECK(cudaMallocHost(&pinned, 400));
    CHECK(cudaMallocManaged(&managed, 400));
    cudaPointerAttributes at;
    CHECK(cudaPointerGetAttributes(&at, d));
    right = at.type == cudaMemoryTypeDevice;
    CHECK(cudaPointerGetAttributes(&at, pinned));
    right = right && at.type == cudaMemoryTypeHost;
    CHECK(cudaPointerGetAttributes(&at, managed));
    right = right && at.type == cudaMemoryTypeManaged;
    if (cudaPointerGetAttributes(&at, pageable) != cudaSuccess) cudaGetLastError();
    fill<<<1, 128>>>(pinned, 100);
    fill<<<1, 128>>>(managed, 100);
    CHECK(cudaDeviceSynchronize());
    right = right && pinned[9] == 9 && managed[99] == 99;
    CHECK(cudaMemcpy(d, pinned, 400, WRONG == 4 ? cudaMemcpyDeviceToHost : cudaMemcpyDefault));
    CHECK(cudaMemcpy(pageable, d, 400, cudaMemcpyDefault));
    right = right && pageable[50] == 50;
    if (WRONG == 1) cudaFree(pageable);
    if (WRONG == 2) cudaFree(managed);
    if (WRONG == 3) cudaFree(d + 1);
    CHECK(cudaFreeHost(pinned));
    CHECK(cudaFree(managed));
    free(pageable);
#endif
    if (WRONG != 2) CHECK(cudaFree(d));
    return verdict(right);
}
