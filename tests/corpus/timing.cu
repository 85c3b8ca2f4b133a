// Measuring: events around kernels and copies, bandwidths, the host's clock, warm-up rounds, NVTX ranges.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DERRORS=5
// variant: -DSTYLE=3
// variant: -DSTYLE=4
// variant: -DSTYLE=5
// variant: -DSTYLE=5 -DERRORS=2
// variant: -DSTYLE=1 -DERRORS=3 -O0
// variant: -DSTYLE=2 -DERRORS=5 -std=c++20 -O3
// variant: -DSTYLE=4 -G
// variant: -DSTYLE=5 -DERRORS=2 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=2 -DWRONG=1 = host-race
// wrong: -DSTYLE=1 -DWRONG=1 = failed-call
// wrong: -DSTYLE=4 -DWRONG=1 = host-race
// wrong: -DSTYLE=5 -DWRONG=1 = race
// wrong: -DSTYLE=1 -DWRONG=2 = unfinished
#include "helper.h"
#include <chrono>
#include <nvtx3/nvToolsExt.h>
enum { N = 1 << 14 };
__global__ void increment(int *p, int v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i] += v;
}
int main()
{
    int *h, *d;
    const size_t bytes = N * sizeof(int);
    float ms = -1;
    cudaEvent_t start, stop;
    cudaStream_t s, t;
    CHECK(cudaMallocHost((void **)&h, bytes));
    CHECK(cudaMalloc((void **)&d, bytes));
    memset(h, 0, bytes);
    CHECK(cudaMemset(d, 0, bytes));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreateWithFlags(&stop, WRONG == 1 && STYLE == 1 ? cudaEventDisableTiming : cudaEventDefault));
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaDeviceSynchronize());
    bool right = true;
#if STYLE == 1
    CHECK(cudaEventRecord(start));
    increment<<<N / 256, 256>>>(d, 1);
    CHECK(cudaEventRecord(stop));
    if (WRONG == 2) return verdict(true);
    CHECK(cudaEventSynchronize(stop));
    cudaEventElapsedTime(&ms, start, stop);
    right = ms >= 0 || WRONG == 1;
#elif STYLE == 2    // the sample: asynchronous, and the host counts until it is done
    CHECK(cudaEventRecord(start, s));
    CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s));
    increment<<<N / 512, 512, 0, s>>>(d, 26);
    CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, s));
    CHECK(cudaEventRecord(stop, s));
    unsigned long counter = 0;
    while (WRONG != 1 && cudaEventQuery(stop) == cudaErrorNotReady) counter++;
    for (int i = 0; i < N; i++) right = right && h[i] == 26;
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&ms, start, stop));
#elif STYLE == 3
    for (int round = 0; round < 4; round++) {
        auto begin = std::chrono::steady_clock::now();
        increment<<<N / 256, 256>>>(d, 1);
        CHECK(cudaDeviceSynchronize());
        std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
        right = right && took.count() >= 0;
    }
#elif STYLE == 4
    for (size_t part = 1024; part <= bytes; part *= 2) {
        CHECK(cudaEventRecord(start, s));
        for (int k = 0; k < 3; k++) CHECK(cudaMemcpyAsync(d, h, part, cudaMemcpyHostToDevice, s));
        CHECK(cudaEventRecord(stop, s));
        if (WRONG) h[0] = 1;
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        right = right && ms >= 0;
    }
#else
    nvtxRangePushA("round");
    nvtxNameCudaStreamA(s, "work");
    for (int round = 0; round < 3; round++) {
        nvtxRangePush("copy");
        CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s));
        nvtxRangePop();
        increment<<<N / 256, 256, 0, WRONG ? t : s>>>(d, round);
    }
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamSynchronize(t));
    nvtxMarkA("done");
    nvtxRangePop();
#endif
    if (!WRONG) CHECK_LAUNCH();
    (void)ms;
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    CHECK(cudaFree(d));
    CHECK(cudaFreeHost(h));
    return verdict(right);
}
