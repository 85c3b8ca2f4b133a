// Prefix sums: Hillis and Steele with two buffers, Blelloch's tree, warps with shuffles, blocks put together afterwards.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=7
// variant: -DSTYLE=2 -DTYPE=int
// variant: -DSTYLE=2 -DTYPE=double -DERRORS=3
// variant: -DSTYLE=3 -DTYPE=int
// variant: -DSTYLE=3 -DTYPE=unsigned -DERRORS=2
// variant: -DSTYLE=4 -DTYPE=int
// variant: -DSTYLE=1 -DTYPE=int -DERRORS=7 -O0
// variant: -DSTYLE=2 -DTYPE=double -DERRORS=3 -std=c++20 -O3
// variant: -DSTYLE=3 -DTYPE=unsigned -DERRORS=2 -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = shared-race
// wrong: -DSTYLE=1 -DWRONG=2 = shared-race
// wrong: -DSTYLE=2 -DWRONG=1 = shared-race
// wrong: -DSTYLE=3 -DWRONG=1 = shared-race
// wrong: -DSTYLE=4 -DTYPE=int -DWRONG=1 = race
#include "helper.h"
enum { BLOCK = 256, N = 8 * BLOCK };

__global__ void scan(const T *in, T *out, T *sums)
{
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
#if STYLE == 1 || STYLE == 4
    __shared__ T temp[2 * BLOCK];
    int pout = 0, pin = 1;
    temp[t] = in[i];
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        pout = WRONG == 2 ? 0 : 1 - pout;
        pin = WRONG == 2 ? 0 : 1 - pin;
        if (STYLE == 1 && WRONG == 2) pin = pout = 0;
        else pin = 1 - pout;
        temp[pout * BLOCK + t] = temp[pin * BLOCK + t] + (t >= offset ? temp[pin * BLOCK + t - offset] : 0);
        if (!(STYLE == 1 && WRONG == 1)) __syncthreads();
    }
    out[i] = temp[pout * BLOCK + t];
    if (t == BLOCK - 1) sums[blockIdx.x] = temp[pout * BLOCK + t];
#elif STYLE == 2
    __shared__ T temp[BLOCK];
    temp[t] = in[i];
    int offset = 1;
    for (int d = BLOCK >> 1; d > 0; d >>= 1) {
        if (WRONG != 1) __syncthreads();
        if (t < d) temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) sums[blockIdx.x] = temp[BLOCK - 1], temp[BLOCK - 1] = 0;
    for (int d = 1; d < BLOCK; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            T x = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += x;
        }
    }
    __syncthreads();
    out[i] = temp[t] + in[i];
#else
    __shared__ T warp_sums[BLOCK / 32];
    T v = in[i];
    int lane = t % 32, warp = t / 32;
    for (int o = 1; o < 32; o <<= 1) {
        T up = __shfl_up_sync(~0u, v, o);
        if (lane >= o) v += up;
    }
    if (lane == 31) warp_sums[warp] = v;
    if (WRONG != 1) __syncthreads();
    if (warp == 0) {
        T s = lane < BLOCK / 32 ? warp_sums[lane] : 0;
        for (int o = 1; o < BLOCK / 32; o <<= 1) {
            T up = __shfl_up_sync(~0u, s, o);
            if (lane >= o) s += up;
        }
        if (lane < BLOCK / 32) warp_sums[lane] = s;
    }
    __syncthreads();
    out[i] = v + (warp ? warp_sums[warp - 1] : 0);
    if (t == BLOCK - 1) sums[blockIdx.x] = out[i];
#endif
}
__global__ void add(T *out, const T *sums)
{
    T before = 0;
    for (unsigned b = 0; b < blockIdx.x; b++) before += sums[b];
    out[blockIdx.x * blockDim.x + threadIdx.x] += before;
}

int main()
{
    std::vector<T> h(N), got(N);
    for (int i = 0; i < N; i++) h[i] = i % 3;
    T *in, *out, *sums;
    CHECK(cudaMalloc(&in, N * sizeof(T)));
    CHECK(cudaMalloc(&out, N * sizeof(T)));
    CHECK(cudaMalloc(&sums, 8 * sizeof(T)));
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CHECK(cudaMemcpy(in, h.data(), N * sizeof(T), cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    scan<<<8, BLOCK, 0, a>>>(in, out, sums);
    CHECK_LAUNCH();
    if (STYLE == 4) {
        cudaEvent_t e;
        CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        CHECK(cudaEventRecord(e, a));
        if (WRONG != 1) CHECK(cudaStreamWaitEvent(b, e, 0));
        add<<<8, BLOCK, 0, b>>>(out, sums);
        CHECK(cudaEventDestroy(e));
    } else {
        add<<<8, BLOCK, 0, a>>>(out, sums);
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got.data(), out, N * sizeof(T), cudaMemcpyDeviceToHost));
    T sum = 0;
    bool right = true;
    for (int i = 0; i < N; i++) right = right && got[i] == (sum += h[i]);
    CHECK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(b));
    cudaFree(in), cudaFree(out), cudaFree(sums);
    return verdict(right);
}
