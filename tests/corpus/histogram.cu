// Histograms with atomic operations: in global memory, in shared memory, one a warp.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DMANAGED
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DMANAGED -DERRORS=3
// variant: -DSTYLE=3
// variant: -DSTYLE=3 -DERRORS=2
// variant: -DSTYLE=4 -DERRORS=4
// variant: -DSTYLE=1 -DMANAGED -O0
// variant: -DSTYLE=2 -DMANAGED -DERRORS=3 -std=c++20 -O3
// variant: -DSTYLE=3 -DERRORS=2 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = global-race
// wrong: -DSTYLE=2 -DWRONG=1 = shared-race
// wrong: -DSTYLE=2 -DWRONG=2 = shared-race
// wrong: -DSTYLE=3 -DWRONG=2 = shared-race
// wrong: -DSTYLE=1 -DWRONG=3 = uninitialised
// wrong: -DSTYLE=2 -DMANAGED -DWRONG=4 = host-race
// wrong: -DSTYLE=2 -DWRONG=5 = shared-race
#include "helper.h"
enum { BINS = 64, N = 1 << 13, THREADS = 256 };

__global__ void histogram(const unsigned char *data, int n, unsigned *bins)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
#if STYLE == 1
    for (int i = start; i < n; i += step) {
        if (WRONG == 1) bins[data[i] % BINS]++;
        else atomicAdd(&bins[data[i] % BINS], 1);
    }
#elif STYLE == 2
    __shared__ unsigned local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    if (WRONG != 5) __syncthreads();
    for (int i = start; i < n; i += step) {
        if (WRONG == 1) local[data[i] % BINS] += 1;
        else atomicAdd(&local[data[i] % BINS], 1u);
    }
    if (WRONG != 2) __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(bins + b, local[b]);
#elif STYLE == 3
    __shared__ unsigned local[THREADS / 32][BINS];
    for (int b = threadIdx.x; b < BINS * THREADS / 32; b += blockDim.x) (&local[0][0])[b] = 0;
    __syncthreads();
    for (int i = start; i < n; i += step) atomicInc(&local[threadIdx.x / 32][data[i] % BINS], 0xffffffff);
    if (WRONG != 2) __syncthreads();
    if (threadIdx.x < BINS) {
        unsigned sum = 0;
        for (int w = 0; w < THREADS / 32; w++) sum += local[w][threadIdx.x];
        atomicAdd(&bins[threadIdx.x], sum);
    }
#else
    // each thread looks for one bin
    unsigned mine = 0;
    for (int i = 0; i < n; i++) mine += data[i] % BINS == start;
    if (start < BINS) bins[start] = mine;
#endif
}

int main()
{
    unsigned char *h = (unsigned char *)malloc(N), *data;
    unsigned wanted[BINS] = {0}, got[BINS], *bins;
    for (int i = 0; i < N; i++) h[i] = i * 7 + i / 11, wanted[h[i] % BINS]++;
    CHECK(cudaMalloc((void **)&data, N));
    CHECK(cudaMemcpy(data, h, N, cudaMemcpyHostToDevice));
#ifdef MANAGED
    CHECK(cudaMallocManaged(&bins, sizeof got));
    for (int b = 0; b < BINS; b++) bins[b] = 0;
#else
    CHECK(cudaMalloc(&bins, sizeof got));
    if (WRONG != 3) CHECK(cudaMemset(bins, 0, sizeof got));
#endif
    histogram<<<STYLE == 4 ? 1 : 8, THREADS>>>(data, N, bins);
    CHECK_LAUNCH();
#ifdef MANAGED
    if (WRONG != 4) CHECK(cudaDeviceSynchronize());
    memcpy(got, bins, sizeof got);
#else
    CHECK(cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost));
#endif
    bool right = memcmp(got, wanted, sizeof got) == 0;
    cudaFree(bins);
    cudaFree(data);
    free(h);
    return verdict(right);
}
