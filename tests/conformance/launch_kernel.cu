// Kernels by pointer: cudaLaunchKernel, attributes, occupancy.
// run: THREELANE_MODEL=h200
// out: ok launch_kernel
#include "conformance.h"

struct Big { double values[20]; };

__global__ void combine(int *to, char c, Big big, float f, const long long l, short s)
{
    *to = c + (int)big.values[19] + (int)f + (int)l + s;
}
template <class T> __global__ void store(T *to, T value) { to[threadIdx.x] = value; }

static bool called;
static int next_value() { called = true; return 5; }

int main()
{
    int *d, out[4], blocks, grid, block;
    Big big = {};
    char c = 1;
    float f = 100;
    long long l = 1000;
    short s = 10000;
    cudaFuncAttributes attr;
    warm_up();
    OK(cudaMalloc(&d, sizeof out));
    big.values[19] = 10;

    void *args[] = {&d, &c, &big, &f, &l, &s};
    OK(cudaLaunchKernel((const void *)combine, dim3(1), dim3(1), args, 0, 0));
    OK(cudaMemcpy(out, d, sizeof *out, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 11111);
    c = 2;
    OK(cudaLaunchKernel(combine, 1, 1, args));
    OK(cudaMemcpy(out, d, sizeof *out, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 11112);
    combine<<<1, 1>>>(d, c, big, f, l, s);
    OK(cudaMemcpy(out, d, sizeof *out, cudaMemcpyDeviceToHost));
    CHECK(out[0] == 11112);

    store<<<1, 4>>>(d, next_value());
    OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(out[3] == 5 && called);
    int value = 6;
    void *store_args[] = {&d, &value};
    OK(cudaLaunchKernel(store<int>, 1, 4, store_args));
    OK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(out[3] == 6);
    IS(cudaErrorInvalidValue, cudaLaunchKernel(store<int>, 0, 4, store_args));
    IS(cudaErrorInvalidValue, cudaGetLastError());
    IS(cudaErrorInvalidDeviceFunction, cudaLaunchKernel((const void *)NULL, 1, 1, args));
    cudaGetLastError();

    OK(cudaFuncGetAttributes(&attr, combine));
    CHECK(attr.maxThreadsPerBlock == 1024 && attr.maxDynamicSharedSizeBytes == 48 << 10);
    OK(cudaFuncSetAttribute(combine, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    OK(cudaFuncGetAttributes(&attr, combine));
    CHECK(attr.maxDynamicSharedSizeBytes == 64 << 10);
    IS(cudaErrorInvalidValue, cudaFuncSetAttribute(combine, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    OK(cudaFuncSetCacheConfig(combine, cudaFuncCachePreferShared));

    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store<int>, 1024, 0));
    CHECK(blocks == 2);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store<int>, 32, 0));
    CHECK(blocks == 32);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, store<int>, 32, 40 << 10));
    CHECK(blocks == 5);
    OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store<int>, 0, 0));
    CHECK(block == 1024 && grid == 2 * 132);
    return finish("launch_kernel");
}
