// Two pinned buffers and two device buffers in turn: the host refills one while the other is on its way.
// variant: -DWAIT=1
// variant: -DWAIT=2
// variant: -DWAIT=3
// variant: -DWAIT=1 -DTYPE=int -DERRORS=2
// variant: -DWAIT=4
// variant: -DWAIT=2 -DFLAGS=cudaStreamNonBlocking -DERRORS=4
// variant: -DWAIT=2 -O0
// variant: -DWAIT=1 -DTYPE=int -DERRORS=2 -std=c++20 -O3
// variant: -DWAIT=2 -DFLAGS=cudaStreamNonBlocking -DERRORS=4 -G
// variant: -DWAIT=2 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DWAIT=1 -DWRONG=1 = host-race
// wrong: -DWAIT=2 -DWRONG=2 = race
// wrong: -DWAIT=2 -DWRONG=3 = race
// wrong: -DWAIT=3 -DWRONG=4 = race,host-race
// wrong: -DWAIT=1 -DWRONG=5 = host-race
#include "helper.h"
#ifndef FLAGS
#define FLAGS cudaStreamDefault
#endif
enum { CHUNK = 4096, CHUNKS = 9 };

__global__ void sum(const T *in, T *total)
{
    __shared__ T part[256];
    T mine = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < CHUNK; i += gridDim.x * 256) mine += in[i];
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int k = 128; k; k /= 2) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(total, part[0]);
}
static void fill(T *buffer, int chunk)
{
    for (int i = 0; i < CHUNK; i++) buffer[i] = (chunk + i) % 3;
}

int main()
{
    T *host[2], *device[2], *total, result = 0, wanted = 0;
    cudaStream_t copies, kernels;
    cudaEvent_t copied[2], used[2];
    CHECK(cudaStreamCreateWithFlags(&copies, FLAGS));
    CHECK(cudaStreamCreateWithFlags(&kernels, FLAGS));
    for (int b = 0; b < 2; b++) {
        CHECK(cudaHostAlloc(&host[b], CHUNK * sizeof(T), cudaHostAllocDefault));
        CHECK(cudaMalloc(&device[b], CHUNK * sizeof(T)));
        CHECK(cudaEventCreateWithFlags(&copied[b], cudaEventDisableTiming));
        CHECK(cudaEventCreate(&used[b]));
    }
    CHECK(cudaMalloc(&total, sizeof(T)));
    CHECK(cudaMemset(total, 0, sizeof(T)));
    CHECK(cudaDeviceSynchronize());
    for (int c = 0; c < CHUNKS; c++) {
        int b = WRONG == 5 ? 0 : c % 2;
#if WAIT == 1
        if (WRONG != 1 && c >= 2 - (WRONG == 5 ? 2 : 0) && WRONG != 5) CHECK(cudaEventSynchronize(copied[b]));
#elif WAIT == 2
        if (c >= 2) while (cudaEventQuery(copied[b]) != cudaSuccess) {}
#elif WAIT == 3
        if (WRONG != 4) CHECK(cudaStreamSynchronize(copies));
#else
        if (c >= 2) CHECK(cudaEventSynchronize(used[b]));
#endif
        fill(host[b], c);
        if (c >= 2 && WRONG != 3) CHECK(cudaStreamWaitEvent(copies, used[b], 0));
        CHECK(cudaMemcpyAsync(device[b], host[b], CHUNK * sizeof(T), cudaMemcpyHostToDevice, copies));
        CHECK(cudaEventRecord(copied[b], copies));
        if (WRONG != 2) CHECK(cudaStreamWaitEvent(kernels, copied[b], 0));
        sum<<<4, 256, 0, kernels>>>(device[b], total);
        CHECK(cudaEventRecord(used[b], kernels));
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&result, total, sizeof(T), cudaMemcpyDeviceToHost));
    for (int c = 0; c < CHUNKS; c++)
        for (int i = 0; i < CHUNK; i++) wanted += (c + i) % 3;
    for (int b = 0; b < 2; b++) {
        CHECK(cudaFreeHost(host[b]));
        CHECK(cudaFree(device[b]));
        CHECK(cudaEventDestroy(copied[b]));
        CHECK(cudaEventDestroy(used[b]));
    }
    CHECK(cudaFree(total));
    CHECK(cudaStreamDestroy(copies));
    CHECK(cudaStreamDestroy(kernels));
    return verdict(result == wanted);
}
