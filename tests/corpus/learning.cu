// Rows of matrices, as in machine learning: softmax, norms, attention scores, embedding, dropout masks, means by column.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3
// variant: -DSTYLE=1 -DCOLS=33 -DERRORS=4
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DCOLS=200 -DERRORS=4
// variant: -DSTYLE=3
// variant: -DSTYLE=3 -DTYPE=double
// variant: -DSTYLE=4
// variant: -DSTYLE=4 -DCOLS=31
// variant: -DSTYLE=5
// variant: -DSTYLE=6 -DERRORS=2
// variant: -DSTYLE=6 -DCOLS=128
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3 -O0
// variant: -DSTYLE=2 -std=c++20 -O3
// variant: -DSTYLE=3 -G
// variant: -DSTYLE=4 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = shared-race
// wrong: -DSTYLE=1 -DWRONG=2 = shared-race
// wrong: -DSTYLE=3 -DWRONG=1 = shared-race
// wrong: -DSTYLE=4 -DWRONG=1 = global-race
// wrong: -DSTYLE=5 -DWRONG=1 = out-of-bounds,global-race
// wrong: -DSTYLE=6 -DWRONG=1 = race
// wrong: -DSTYLE=2 -DWRONG=1 = uninitialised
#include "helper.h"
#ifndef COLS
#define COLS 64
#endif
enum { ROWS = 12, THREADS = 64 };
__device__ T block_max(T v, T *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = THREADS / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] = s[threadIdx.x] > s[threadIdx.x + k] ? s[threadIdx.x] : s[threadIdx.x + k];
        __syncthreads();
    }
    T result = s[0];
    if (!(STYLE == 1 && WRONG == 1)) __syncthreads();       // s is used again
    return result;
}
__device__ T block_sum(T v, T *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = THREADS / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        if (!(STYLE == 1 && WRONG == 2)) __syncthreads();
    }
    T result = s[0];
    __syncthreads();
    return result;
}
__global__ void softmax(const T *in, T *out)
{
    __shared__ T s[THREADS];
    const T *x = in + blockIdx.x * COLS;
    T most = x[0], sum = 0;
    for (int c = threadIdx.x; c < COLS; c += THREADS) most = x[c] > most ? x[c] : most;
    most = block_max(most, s);
    for (int c = threadIdx.x; c < COLS; c += THREADS) sum += exp(x[c] - most);
    sum = block_sum(sum, s);
    for (int c = threadIdx.x; c < COLS; c += THREADS) out[blockIdx.x * COLS + c] = exp(x[c] - most) / sum;
}
__global__ void by_warp(const T *in, T *out)
{
    int row = blockIdx.x * (THREADS / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    T sum = 0, squares = 0;
    for (int c = lane; c < COLS; c += 32) sum += in[row * COLS + c], squares += in[row * COLS + c] * in[row * COLS + c];
    for (int o = 16; o; o >>= 1) {
        sum += __shfl_xor_sync(0xffffffffu, sum, o);
        squares += __shfl_xor_sync(0xffffffffu, squares, o);
    }
    T mean = sum / COLS, variance = squares / COLS - mean * mean;
    for (int c = lane; c < COLS; c += 32) out[row * COLS + c] = (in[row * COLS + c] - mean) * rsqrtf((float)variance + 1e-5f);
}
__global__ void attention(const T *q, T *scores)
{
    __shared__ T keys[ROWS][COLS + 1];
    for (int i = threadIdx.x; i < ROWS * COLS; i += THREADS) keys[i / COLS][i % COLS] = q[i];
    if (!WRONG) __syncthreads();
    for (int k = threadIdx.x; k < ROWS; k += THREADS) {
        T sum = 0;
        for (int c = 0; c < COLS; c++) sum += keys[blockIdx.x][c] * keys[k][c];
        scores[blockIdx.x * ROWS + k] = sum;
    }
}
__global__ void column_sums(const T *in, T *sums)
{
    for (int c = threadIdx.x; c < COLS; c += THREADS) {
        if (WRONG) sums[c] += in[blockIdx.x * COLS + c];
        else atomicAdd(&sums[c], in[blockIdx.x * COLS + c]);
    }
}
__global__ void embed(const int *token, const T *table, T *out)
{
    for (int c = threadIdx.x; c < COLS; c += THREADS) out[blockIdx.x * COLS + c] = table[token[blockIdx.x] * COLS + c];
}
__global__ void mask(T *x, const unsigned *bits)
{
    for (int c = threadIdx.x; c < COLS; c += THREADS)
        if (!(bits[c / 32] >> c % 32 & 1)) x[blockIdx.x * COLS + c] = 0;
}
int main()
{
    std::vector<T> h(ROWS * COLS), got(ROWS * COLS);
    for (int i = 0; i < ROWS * COLS; i++) h[i] = (i * 13 % 17) / T(8);
    T *in, *out;
    int tokens[ROWS], *d_tokens;
    unsigned bits[COLS / 32 + 1], *d_bits;
    for (unsigned &b : bits) b = 0x5a5a5a5a;
    for (int r = 0; r < ROWS; r++) tokens[r] = r * 5 % ROWS + (WRONG && r == 3) * ROWS;
    cudaStream_t s, t;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&in, h.size() * sizeof(T)));
    CHECK(cudaMalloc(&out, h.size() * sizeof(T)));
    CHECK(cudaMalloc(&d_tokens, sizeof tokens));
    CHECK(cudaMalloc(&d_bits, sizeof bits));
    if (!(STYLE == 2 && WRONG)) CHECK(cudaMemcpy(in, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_tokens, tokens, sizeof tokens, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_bits, bits, sizeof bits, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, h.size() * sizeof(T)));
    CHECK(cudaDeviceSynchronize());
#if STYLE == 1
    softmax<<<ROWS, THREADS, 0, s>>>(in, out);
#elif STYLE == 2
    by_warp<<<ROWS * 32 / THREADS, THREADS, 0, s>>>(in, out);
#elif STYLE == 3
    attention<<<ROWS, THREADS, 0, s>>>(in, out);
#elif STYLE == 4
    column_sums<<<ROWS, THREADS, 0, s>>>(in, out);
#elif STYLE == 5
    embed<<<ROWS, THREADS, 0, s>>>(d_tokens, in, out);
#else
    embed<<<ROWS, THREADS, 0, s>>>(d_tokens, in, out);
    mask<<<ROWS, THREADS, 0, WRONG ? t : s>>>(out, d_bits);
#endif
    CHECK_LAUNCH();
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamSynchronize(t));
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
    bool right = true;
    for (T x : got) right = right && x == x;
#if STYLE == 1
    T sum = 0;
    for (int c = 0; c < COLS; c++) sum += got[c];
    right = right && std::fabs(sum - 1) < 1e-4;
#endif
    cudaFree(in), cudaFree(out), cudaFree(d_tokens), cudaFree(d_bits);
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    return verdict(right);
}
