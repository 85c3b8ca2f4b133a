// gpu.cuh - a header of a program, with templates that launch kernels.
#ifndef GPU_KERNELS_CUH
#define GPU_KERNELS_CUH
#include <cuda_runtime.h>
#include <utility>
namespace gpu
{
namespace detail
{
template <class T> __global__ void scale_k(T *p, int n, T k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= k;
}
template <class T> __global__ void sum_k(const T *p, int n, T *out)
{
    extern __shared__ unsigned char raw[];
    T *s = reinterpret_cast<T *>(raw);
    s[threadIdx.x] = threadIdx.x < n ? p[threadIdx.x] : T();
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}
}
template <class T> void scale(T *p, int n, T k) { detail::scale_k<T><<<(n + 31) / 32, 32>>>(p, n, k); }
template <class T> class Vector
{
    T *p_ = nullptr;
    int n_;

public:
    explicit Vector(int n) : n_(n)
    {
        cudaMalloc(&p_, n * sizeof(T));
        cudaMemset(p_, 0, n * sizeof(T));
    }
    ~Vector() { cudaFree(p_); }
    Vector(const Vector &) = delete;
    void fill(T v);
    T sum() const
    {
        T *o, h;
        cudaMalloc(&o, sizeof(T));
        detail::sum_k<<<1, 64, 64 * sizeof(T)>>>(p_, n_, o);
        cudaMemcpy(&h, o, sizeof(T), cudaMemcpyDeviceToHost);
        cudaFree(o);
        return h;
    }
};
template <class T> __global__ void fill_k(T *p, int n, T v)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = v;
}
template <class T> void Vector<T>::fill(T v) { fill_k<<<1, 32>>>(p_, n_, v); }
}
#endif