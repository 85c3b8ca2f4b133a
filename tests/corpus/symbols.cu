// __constant__ coefficients, __device__ tables and counters, addresses of symbols, static and dynamic shared memory.
// variant: -DSTYLE=1
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3
// variant: -DSTYLE=2
// variant: -DSTYLE=2 -DTYPE=int -DERRORS=6
// variant: -DSTYLE=3 -DTYPE=int
// variant: -DSTYLE=4 -DTYPE=int
// variant: -DSTYLE=5
// variant: -DSTYLE=1 -DTYPE=double -DERRORS=3 -O0
// variant: -DSTYLE=2 -DTYPE=int -DERRORS=6 -std=c++20 -O3
// variant: -DSTYLE=4 -DTYPE=int -G
// variant: -DSTYLE=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSTYLE=1 -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=2 -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=3 -DTYPE=int -DWRONG=1 = global-race
// wrong: -DSTYLE=1 -DWRONG=2 = race
// wrong: -DSTYLE=4 -DTYPE=int -DWRONG=1 = out-of-bounds
// wrong: -DSTYLE=4 -DTYPE=int -DWRONG=2 = out-of-bounds
// wrong: -DSTYLE=5 -DWRONG=1 = host-race
// wrong: -DSTYLE=2 -DWRONG=3 = out-of-bounds
// wrong: -DSTYLE=1 -DWRONG=4 = out-of-bounds
#include "helper.h"
enum { N = 512, TAPS = 5 };
__constant__ T taps[TAPS];
__constant__ T other[64];
__device__ T table[N];
__device__ T neighbours[N];
__device__ int found;
__managed__ int managed_count;

__global__ void filter(const T *in, T *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    (void)i;
#if STYLE == 1
    T sum = 0;
    for (int k = 0; k < TAPS + (WRONG == 1) + (WRONG == 4) * 260; k++) sum += taps[k] * in[(i + k) % N];
    out[i] = sum + other[i % 64];
#elif STYLE == 2
    table[i + (WRONG == 1) + (WRONG == 3) * 600] = in[i];
    neighbours[i] = in[i] + 1;
    out[i] = in[i] * 2;
#elif STYLE == 3
    if (in[i] == 3) {
        if (WRONG) found++;
        else atomicAdd(&found, 1);
    }
    out[i] = in[i];
#elif STYLE == 4
    extern __shared__ char memory[];
    T *a = (T *)memory;
    short *b = (short *)(a + blockDim.x);
    a[threadIdx.x] = in[i];
    b[threadIdx.x + (WRONG == 2)] = (short)threadIdx.x;
    __syncthreads();
    out[i] = a[blockDim.x - 1 - threadIdx.x] + b[threadIdx.x] * 0;
#else
    out[i] = in[i];
    if (in[i] == 3) atomicAdd(&managed_count, 1);
#endif
}
int main()
{
    T h[N], got[N], coefficients[TAPS] = {1, 2, 3, 2, 1}, *in, *out;
    bool right = true;
    for (int i = 0; i < N; i++) h[i] = i % 6;
    CHECK(cudaMalloc((void **)&in, sizeof h));
    CHECK(cudaMalloc((void **)&out, sizeof h));
    CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(taps, coefficients, sizeof taps));
    T *address;
    int zero = 0;
    CHECK(cudaGetSymbolAddress((void **)&address, other));
    CHECK(cudaMemset(address, 0, sizeof other));
    CHECK(cudaMemcpyToSymbol(found, &zero, sizeof zero, 0, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    filter<<<N / 128, 128, 128 * (sizeof(T) + sizeof(short)) - (WRONG == 1) * 4, s>>>(in, out);
    CHECK_LAUNCH();
    if (STYLE == 1 && WRONG == 2) CHECK(cudaMemcpyToSymbolAsync(taps, coefficients, sizeof taps, 0, cudaMemcpyHostToDevice));
    if (STYLE == 5 && WRONG == 1) right = managed_count == 0;
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
#if STYLE == 1
        T sum = 0;
        for (int k = 0; k < TAPS; k++) sum += coefficients[k] * h[(i + k) % N];
        right = right && got[i] == sum;
#elif STYLE == 2
        right = right && got[i] == 2 * h[i];
#elif STYLE == 4
        right = right && got[i] == h[i / 128 * 128 + 127 - i % 128];
#endif
    }
#if STYLE == 2
    CHECK(cudaMemcpyFromSymbol(got, table, sizeof got, 0, cudaMemcpyDeviceToHost));
    right = right && memcmp(got, h, sizeof got) == 0;
#elif STYLE == 3
    int n;
    CHECK(cudaMemcpyFromSymbol(&n, found, sizeof n));
    right = n == 85;
#elif STYLE == 5
    right = right && managed_count == 85;
#endif
    CHECK(cudaStreamDestroy(s));
    cudaFree(in), cudaFree(out);
    return verdict(right);
}
