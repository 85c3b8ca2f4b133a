// Memory that both sides reach: mapped, managed with prefetch and advice, registered, write-combined; CPU and GPU in turn.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=2
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DTYPE=double -DERRORS=3
// variant: -DSTYLE=3
// variant: -DSTYLE=4
// variant: -DSTYLE=5
// variant: -DSTYLE=6 -DERRORS=4
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=2 -O0
// variant: -DSTYLE=2 -DTYPE=double -DERRORS=3 -std=c++20 -O3
// variant: -DSTYLE=4 -G
// variant: -DSTYLE=6 -DERRORS=4 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = host-race
// wrong: -DSTYLE=2 -DWRONG=1 = host-race
// wrong: -DSTYLE=3 -DWRONG=1 = host-race
// wrong: -DSTYLE=5 -DWRONG=1 = host-race
// wrong: -DSTYLE=1 -DWRONG=2 = host-race
// wrong: -DSTYLE=2 -DWRONG=2 = host-race
// wrong: -DSTYLE=3 -DWRONG=3 = free-in-flight,wrong-memory
// wrong: -DSTYLE=1 -DWRONG=4 = wrong-memory
// wrong: -DSTYLE=6 -DWRONG=1 = host-race
// wrong: -DSTYLE=2 -DWRONG=5 = out-of-bounds
#include "helper.h"
enum { N = 5000 };
__global__ void add(T *p, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n + (WRONG == 5); i += gridDim.x * blockDim.x) p[i] += 1;
}
#if STYLE == 6
__managed__ T values[N];
#endif
int main()
{
    T *h, *d;
    const size_t bytes = N * sizeof(T);
#if STYLE == 1
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    CHECK(cudaHostAlloc(&h, bytes, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer((void **)&d, h, 0));
#elif STYLE == 2 || STYLE == 5
    CHECK(cudaMallocManaged(&h, bytes));
    d = h;
#elif STYLE == 3
    h = (T *)malloc(bytes);
    CHECK(cudaHostRegister(h, bytes, cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer((void **)&d, h, 0));
#elif STYLE == 4
    CHECK(cudaHostAlloc(&h, bytes, cudaHostAllocWriteCombined | cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer((void **)&d, h, 0));
#else
    h = d = values;
#endif
    for (int i = 0; i < N; i++) h[i] = i % 10;
    int device = 0;
    CHECK(cudaGetDevice(&device));
    (void)device;
    for (int round = 0; round < 3; round++) {
#if STYLE == 5
        CHECK(cudaMemAdvise(h, bytes, cudaMemAdviseSetPreferredLocation, device));
        CHECK(cudaMemPrefetchAsync(h, bytes, device, 0));
#endif
        add<<<8, 128>>>(d, N);
        CHECK_LAUNCH();
        if (WRONG == 2 && round == 1) h[0] += 0;
#if STYLE == 5
        if (WRONG != 1) CHECK(cudaMemPrefetchAsync(h, bytes, cudaCpuDeviceId, 0));
#endif
        if (WRONG != 1) CHECK(cudaDeviceSynchronize());
        for (int i = 0; i < N; i += 7) h[i] += 1;
    }
    if (WRONG == 3) add<<<8, 128>>>(d, N);
    bool right = true;
    if (WRONG != 3)
        for (int i = 0; i < N; i++) right = right && h[i] == T(i % 10 + 3 + (i % 7 ? 0 : 3));
#if STYLE == 1 || STYLE == 4
    if (WRONG == 4) CHECK(cudaFree(h));
    CHECK(cudaFreeHost(h));
#elif STYLE == 3
    if (WRONG != 3) CHECK(cudaHostUnregister(h));
    free(h);
#elif STYLE != 6
    CHECK(cudaFree(h));
#endif
    return verdict(right);
}
