// Sums whose last block adds up what the others left, look-back chains, locks.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=int -DBLOCKS=3
// variant: -DSTYLE=1 -DBLOCKS=32 -DERRORS=3
// variant: -DSTYLE=2 -DTYPE=int
// variant: -DSTYLE=2 -DTYPE=int -DBLOCKS=5
// variant: -DSTYLE=3 -DTYPE=int
// variant: -DSTYLE=4 -DTYPE=int
// variant: -DSTYLE=1 -DTYPE=int -DBLOCKS=3 -O0
// variant: -DSTYLE=2 -DTYPE=int -std=c++20 -O3
// variant: -DSTYLE=3 -DTYPE=int -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// gap: -DSTYLE=1 -DWRONG=1 = global-race
// wrong: -DSTYLE=1 -DTYPE=int -DWRONG=2 = global-race
// wrong: -DSTYLE=2 -DTYPE=int -DWRONG=1 = global-race
// wrong: -DSTYLE=3 -DTYPE=int -DWRONG=1 = global-race
#include "helper.h"
#ifndef BLOCKS
#define BLOCKS 8
#endif
enum { THREADS = 128, N = BLOCKS * THREADS };
__device__ unsigned count = 0;
__device__ int mutex = 0;

__global__ void sum(const T *in, volatile T *partial, T *result)
{
    __shared__ T s[THREADS];
    __shared__ bool is_last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int k = THREADS / 2; k > 0; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    (void)is_last;
#if STYLE == 1
    if (t == 0) {
        if (WRONG == 2) ((T *)partial)[blockIdx.x] = s[0];
        else partial[blockIdx.x] = s[0];
        if (!WRONG) __threadfence();
        is_last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && t == 0) {
        T all = 0;
        for (unsigned b = 0; b < gridDim.x; b++) all += WRONG == 2 ? ((T *)partial)[b] : partial[b];
        *result = all;
        count = 0;
    }
#elif STYLE == 2    // each block waits for the one before it
    if (t == 0) {
        T before = 0;
        if (blockIdx.x > 0) {
            while (atomicAdd(&count, 0) < blockIdx.x) {}
            before = WRONG ? ((T *)partial)[blockIdx.x - 1] : partial[blockIdx.x - 1];
        }
        if (WRONG) ((T *)partial)[blockIdx.x] = before + s[0];
        else partial[blockIdx.x] = before + s[0];
        if (!WRONG) __threadfence();
        atomicAdd(&count, 1);
        if (blockIdx.x == gridDim.x - 1) *result = before + s[0];
    }
#elif STYLE == 3    // a lock
    if (t == 0) {
        while (atomicCAS(&mutex, 0, 1) != 0) {}
        if (WRONG != 1) __threadfence();
        *result += s[0];
        if (WRONG != 1) __threadfence();
        atomicExch(&mutex, 0);
    }
#else               // a maximum by comparing and swapping
    if (t == 0) {
        int *address = (int *)result, old = *address, assumed;
        do {
            assumed = old;
            old = atomicCAS(address, assumed, assumed + (int)s[0]);
        } while (assumed != old);
    }
#endif
}

int main()
{
    T h[N], *in, *partial, *result, got = 0, wanted = 0;
    for (int i = 0; i < N; i++) wanted += h[i] = i % 9;
    CHECK(cudaMalloc(&in, sizeof h));
    CHECK(cudaMalloc(&partial, BLOCKS * sizeof(T)));
    CHECK(cudaMalloc(&result, sizeof(T)));
    CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(result, 0, sizeof(T)));
    sum<<<BLOCKS, THREADS>>>(in, partial, result);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost));
    cudaFree(in), cudaFree(partial), cudaFree(result);
    return verdict(got == wanted);
}
