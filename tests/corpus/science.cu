// Means of clusters, a Fourier transform, nearest neighbours, distances along all paths, Needleman and Wunsch, a sieve,
// primes, a random walk, integration.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DERRORS=5
// variant: -DSTYLE=3
// variant: -DSTYLE=4 -DTYPE=int
// variant: -DSTYLE=4 -DTYPE=float -DERRORS=2
// variant: -DSTYLE=5 -DTYPE=int
// variant: -DSTYLE=5 -DTYPE=int -DERRORS=7
// variant: -DSTYLE=6 -DTYPE=int
// variant: -DSTYLE=7 -DTYPE=double
// variant: -DSTYLE=7 -DERRORS=4
// variant: -DSTYLE=8 -DTYPE=int
// variant: -DSTYLE=1 -DERRORS=3 -O0
// variant: -DSTYLE=2 -DERRORS=5 -std=c++20 -O3
// variant: -DSTYLE=4 -DTYPE=int -G
// variant: -DSTYLE=5 -DTYPE=int -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = shared-race,global-race
// wrong: -DSTYLE=2 -DWRONG=1 = shared-race
// wrong: -DSTYLE=3 -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=4 -DTYPE=int -DWRONG=1 = race
// wrong: -DSTYLE=5 -DTYPE=int -DWRONG=1 = shared-race
// wrong: -DSTYLE=7 -DTYPE=double -DWRONG=1 = global-race
// wrong: -DSTYLE=8 -DTYPE=int -DWRONG=1 = global-race
// wrong: -DSTYLE=6 -DTYPE=int -DWRONG=1 = uninitialised
#include "helper.h"
enum { N = 256, K = 4, SIDE = 32 };
__global__ void assign(const float *x, const float *centre, float *sum, int *count)
{
    __shared__ float s_sum[K];
    __shared__ int s_count[K];
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (threadIdx.x < K) s_sum[threadIdx.x] = 0, s_count[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 1; k < K; k++)
        if (fabsf(x[i] - centre[k]) < fabsf(x[i] - centre[best])) best = k;
    if (WRONG) s_sum[best] += x[i];
    else atomicAdd(&s_sum[best], x[i]);
    atomicAdd(&s_count[best], 1);
    __syncthreads();
    if (threadIdx.x < K) {
        atomicAdd(&sum[threadIdx.x], s_sum[threadIdx.x]);
        atomicAdd(&count[threadIdx.x], s_count[threadIdx.x]);
    }
}
__global__ void fft(float2 *p)
{
    __shared__ float2 s[N];
    int t = threadIdx.x;
    s[__brev(t) >> 24] = p[t];
    s[__brev(t + N / 2) >> 24] = p[t + N / 2];
    for (int half = 1; half < N; half *= 2) {
        if (!WRONG) __syncthreads();
        int k = t % half, i = t / half * 2 * half + k;
        float sine, cosine;
        sincosf(-3.14159265f * k / half, &sine, &cosine);
        float2 a = s[i], b = s[i + half], r = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        s[i] = make_float2(a.x + r.x, a.y + r.y);
        s[i + half] = make_float2(a.x - r.x, a.y - r.y);
    }
    __syncthreads();
    p[t] = s[t];
    p[t + N / 2] = s[t + N / 2];
}
__global__ void nearest(const float *x, int *which)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = -1;
    float least = 1e30f;
    for (int k = 0; k < N + WRONG; k++) {
        float d = fabsf(x[k] - x[i]);
        if (k != i && d < least) least = d, best = k;
    }
    which[i] = best;
}
__global__ void floyd(const T *in, T *out, int k)
{
    int x = threadIdx.x, y = blockIdx.x;
    T via = in[y * SIDE + k] + in[k * SIDE + x];
    out[y * SIDE + x] = via < in[y * SIDE + x] ? via : in[y * SIDE + x];
}
__global__ void align(const int *a, const int *b, int *score)
{
    __shared__ int m[SIDE + 1][SIDE + 1];
    int t = threadIdx.x + 1;
    m[t][0] = m[0][t] = -t;
    if (t == 1) m[0][0] = 0;
    __syncthreads();
    for (int d = 2; d <= 2 * SIDE; d++) {
        int y = t, x = d - t;
        if (x >= 1 && x <= SIDE)
            m[y][x] = max(max(m[y - 1][x], m[y][x - 1]) - 1, m[y - 1][x - 1] + (a[y - 1] == b[x - 1] ? 1 : -1));
        if (!WRONG) __syncthreads();
    }
    if (WRONG) __syncthreads();
    if (t == SIDE) *score = m[SIDE][SIDE];
}
__global__ void sieve(int *composite)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    for (int d = 2; d * d <= k; d++)
        if (k % d == 0) {
            composite[k] = 1;
            break;
        }
    if (WRONG && composite[k] == 7) composite[k] = 8;
}
__global__ void integrate(T *result, int steps)
{
    T sum = 0, h = T(1) / steps;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < steps; i += gridDim.x * blockDim.x) {
        T x = (i + T(0.5)) * h;
        sum += 4 / (1 + x * x) * h;
    }
    for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x % 32 == 0) {
        if (WRONG) *result += sum;
        else atomicAdd(result, sum);
    }
}
__global__ void walk(int *visits, int steps)
{
    unsigned state = threadIdx.x * 77 + 1;
    int at = N / 2;
    for (int i = 0; i < steps; i++) {
        state = state * 1103515245u + 12345u;
        at = (at + (state >> 16 & 1 ? 1 : N - 1)) % N;
        if (WRONG) visits[at]++;
        else atomicAdd(visits + at, 1);
    }
}
int main()
{
    float *x, *centre, *sum, h[N];
    int *count, *which, got[N];
    float2 *points;
    T *grid[2], *result, value = 0, start[SIDE * SIDE];
    for (int i = 0; i < N; i++) h[i] = i * 37 % 101;
    for (int i = 0; i < SIDE * SIDE; i++) start[i] = i * 7 % 50 + 1;
    CHECK(cudaMalloc(&x, sizeof h));
    CHECK(cudaMalloc(&centre, K * sizeof(float)));
    CHECK(cudaMalloc(&sum, K * sizeof(float)));
    CHECK(cudaMalloc(&count, N * sizeof(int)));
    CHECK(cudaMalloc(&which, N * sizeof(int)));
    CHECK(cudaMalloc(&points, N * sizeof(float2)));
    CHECK(cudaMalloc(&result, sizeof(T)));
    CHECK(cudaMalloc(&grid[0], sizeof start));
    CHECK(cudaMalloc(&grid[1], sizeof start));
    CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(centre, h, K * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(grid[0], start, sizeof start, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(sum, 0, K * sizeof(float)));
    if (!(STYLE == 6 && WRONG)) CHECK(cudaMemset(count, 0, N * sizeof(int)));
    CHECK(cudaMemset(which, 0, N * sizeof(int)));
    CHECK(cudaMemset(points, 0, N * sizeof(float2)));
    CHECK(cudaMemset(result, 0, sizeof(T)));
    cudaStream_t s, t;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&t));
    bool right = true;
#if STYLE == 1
    assign<<<N / 64, 64>>>(x, centre, sum, count);
    CHECK(cudaMemcpy(got, count, sizeof got, cudaMemcpyDeviceToHost));
    right = got[0] + got[1] + got[2] + got[3] == N;
#elif STYLE == 2
    fft<<<1, N / 2>>>(points);
#elif STYLE == 3
    nearest<<<N / 32, 32>>>(x, which);
#elif STYLE == 4
    int now = 0;
    cudaEvent_t e;
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    for (int k = 0; k < SIDE; k++, now = 1 - now) {
        cudaStream_t q = k % 2 ? t : s;
        if (k && !WRONG) CHECK(cudaStreamWaitEvent(q, e, 0));
        floyd<<<SIDE, SIDE, 0, q>>>(grid[now], grid[1 - now], k);
        CHECK(cudaEventRecord(e, q));
    }
    CHECK(cudaEventDestroy(e));
#elif STYLE == 5
    align<<<1, SIDE>>>(which, which, count);
    CHECK(cudaMemcpy(got, count, sizeof *got, cudaMemcpyDeviceToHost));
    right = got[0] == SIDE;
#elif STYLE == 6
    sieve<<<N / 64, 64>>>(count);
    CHECK(cudaMemcpy(got, count, sizeof got, cudaMemcpyDeviceToHost));
    right = got[251] == 0 && got[253] == 1;
#elif STYLE == 7
    integrate<<<4, 64>>>(result, 5000);
    CHECK(cudaMemcpy(&value, result, sizeof value, cudaMemcpyDeviceToHost));
    right = std::fabs(value - T(3.14159265)) < 1e-3;
#else
    walk<<<2, 64>>>(count, 50);
    CHECK(cudaMemcpy(got, count, sizeof got, cudaMemcpyDeviceToHost));
    int all = 0;
    for (int n : got) all += n;
    right = all == 2 * 64 * 50;
#endif
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    (void)got, (void)value;
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    cudaFree(x), cudaFree(centre), cudaFree(sum), cudaFree(count), cudaFree(which), cudaFree(points), cudaFree(result);
    cudaFree(grid[0]), cudaFree(grid[1]);
    return verdict(right);
}
