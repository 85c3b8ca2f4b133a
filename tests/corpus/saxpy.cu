// The first program of every tutorial.
// variant: -DMEMORY=1
// variant: -DMEMORY=2 -DTYPE=double
// variant: -DMEMORY=3 -DTYPE=int -DERRORS=2
// variant: -DMEMORY=4 -DERRORS=3
// variant: -DMEMORY=5 -DERRORS=4
// variant: -DMEMORY=1 -DSTRIDE -DERRORS=5
// variant: -DMEMORY=4 -DSTRIDE -DTYPE=double -DERRORS=6
// variant: -DMEMORY=2 -DSTRIDE -DERRORS=7
// variant: -DMEMORY=6
// variant: -DMEMORY=2 -DTYPE=double -O0
// variant: -DMEMORY=4 -DERRORS=3 -std=c++20 -O3
// variant: -DMEMORY=1 -DSTRIDE -DERRORS=5 -G
// variant: -DMEMORY=2 -DSTRIDE -DERRORS=7 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DMEMORY=4 -DWRONG=1 = host-race
// wrong: -DMEMORY=1 -DWRONG=2 = out-of-bounds
// wrong: -DMEMORY=1 -DWRONG=3 = out-of-bounds
// wrong: -DMEMORY=2 -DWRONG=3 = out-of-bounds
// wrong: -DMEMORY=1 -DWRONG=4 = uninitialised
// wrong: -DMEMORY=1 -DWRONG=5 -DERRORS=6 = wrong-memory
// wrong: -DMEMORY=1 -DWRONG=6 -DERRORS=6 = wrong-memory
// wrong: -DMEMORY=6 -DWRONG=1 = host-race
#include "helper.h"

__global__ void saxpy(int n, T a, const T *x, T *y)
{
#ifdef STRIDE
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
#else
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n + (WRONG == 2)) y[i] = a * x[i] + y[i];
#endif
}

int main()
{
    const int n = 10000;
    const size_t bytes = n * sizeof(T);
    T *x, *y;
#if MEMORY == 1
    x = (T *)malloc(bytes);
    y = (T *)malloc(bytes - (WRONG == 3 ? sizeof(T) : 0));
#elif MEMORY == 2
    std::vector<T> vx(n), vy(WRONG == 3 ? n / 2 : n);
    x = vx.data(), y = vy.data();
#elif MEMORY == 3
    x = new T[n], y = new T[n];
#elif MEMORY == 4
    CHECK(cudaMallocManaged(&x, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
#else
    CHECK(cudaMallocHost(&x, bytes));
    CHECK(cudaHostAlloc(&y, bytes, cudaHostAllocDefault));
#endif
    for (int i = 0; i < n; i++) x[i] = i % 100;
    for (int i = 0; i < n - (WRONG == 3 ? n / 2 : 0); i++) y[i] = 2;
    const int blocks = (n + 255) / 256;
#if MEMORY == 4
    saxpy<<<blocks, 256>>>(n, 3, x, y);
    CHECK_LAUNCH();
    if (WRONG != 1) CHECK(cudaDeviceSynchronize());
#else
    T *dx, *dy;
    CHECK(cudaMalloc(&dx, bytes));
    CHECK(cudaMalloc((void **)&dy, bytes));
    if (WRONG != 4) CHECK(cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice));
#ifdef STRIDE
    saxpy<<<8, 128>>>(n, 3, dx, dy);
#else
    saxpy<<<blocks, 256>>>(n, 3, WRONG == 5 ? x : dx, dy);
#endif
    CHECK_LAUNCH();
#if MEMORY == 6
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaMemcpyAsync(y, dy, bytes, cudaMemcpyDeviceToHost, s));
    if (WRONG != 1) CHECK(cudaStreamSynchronize(s));
#else
    CHECK(cudaMemcpy(y, WRONG == 6 ? y : dy, bytes, cudaMemcpyDeviceToHost));
#endif
#endif
    bool right = true;
    for (int i = 0; i < n - (WRONG == 3 ? n / 2 : 0); i++) right = right && y[i] == T(3 * (i % 100) + 2);
#if MEMORY != 4
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
#endif
#if MEMORY == 1
    free(x), free(y);
#elif MEMORY == 3
    delete[] x;
    delete[] y;
#elif MEMORY == 4
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
#elif MEMORY > 4
    CHECK(cudaFreeHost(x));
    CHECK(cudaFreeHost(y));
#endif
    return verdict(right);
}
