// One-dimensional stencil with a halo in shared memory.
// variant: -DRADIUS=1
// variant: -DRADIUS=3 -DBLOCK=64 -DTYPE=int
// variant: -DRADIUS=7 -DBLOCK=256 -DTYPE=double -DERRORS=3
// variant: -DRADIUS=3 -DDYNAMIC
// variant: -DRADIUS=2 -DDYNAMIC -DTYPE=int -DERRORS=2
// variant: -DRADIUS=4 -DEDGES
// variant: -DRADIUS=1 -DEDGES -DDYNAMIC -DTYPE=double
// variant: -DRADIUS=3 -DBLOCK=64 -DTYPE=int -O0
// variant: -DRADIUS=3 -DDYNAMIC -std=c++20 -O3
// variant: -DRADIUS=4 -DEDGES -G
// variant: -DRADIUS=1 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DRADIUS=3 -DWRONG=1 = shared-race
// wrong: -DRADIUS=3 -DDYNAMIC -DWRONG=1 = shared-race
// wrong: -DRADIUS=3 -DWRONG=2 = out-of-bounds
// wrong: -DRADIUS=3 -DWRONG=3 = out-of-bounds
// wrong: -DRADIUS=3 -DDYNAMIC -DWRONG=4 = out-of-bounds
#include "helper.h"
#ifndef BLOCK
#define BLOCK 128
#endif
enum { N = 1000 };

__global__ void stencil_1d(const T *in, T *out)
{
#ifdef DYNAMIC
    extern __shared__ T temp[];
#else
    __shared__ T temp[BLOCK + 2 * RADIUS - (WRONG == 2)];
#endif
    int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + RADIUS;
#ifdef EDGES
    temp[l] = g < N ? in[g] : 0;
    if (threadIdx.x < RADIUS) {
        temp[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
        temp[l + BLOCK] = g + BLOCK < N ? in[g + BLOCK] : 0;
    }
#else
    temp[l] = g < N + RADIUS ? in[g] : 0;
    if (threadIdx.x < RADIUS) {
        temp[l - RADIUS] = in[g - RADIUS - (WRONG == 3)];
        temp[l + BLOCK] = g + BLOCK < N + RADIUS ? in[g + BLOCK] : 0;
    }
#endif
    if (WRONG != 1) __syncthreads();
    T result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[l + offset];
    if (g < N) out[g] = result;
}

int main()
{
    std::vector<T> in(N + 2 * RADIUS), out(N);
    for (int i = 0; i < N + 2 * RADIUS; i++) in[i] = i % 7;
    T *d_in, *d_out;
    CHECK(cudaMalloc((void **)&d_in, in.size() * sizeof(T)));
    CHECK(cudaMalloc((void **)&d_out, out.size() * sizeof(T)));
    CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice));
    size_t shared = (BLOCK + 2 * RADIUS - (WRONG == 4)) * sizeof(T);
    (void)shared;
#ifdef DYNAMIC
    stencil_1d<<<(N + BLOCK - 1) / BLOCK, BLOCK, shared>>>(d_in + RADIUS, d_out);
#else
    stencil_1d<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(d_in + RADIUS, d_out);
#endif
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(T), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int i = RADIUS; i < N - RADIUS; i++) {
        T sum = 0;
        for (int k = -RADIUS; k <= RADIUS; k++) sum += in[i + RADIUS + k];
        right = right && out[i] == sum;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    return verdict(right);
}
