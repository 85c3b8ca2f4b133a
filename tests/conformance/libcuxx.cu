// Small headers of libcu++: annotated pointers, whole-number mathematics, functions, streams of others.
// nvcc: -std=c++17 --extended-lambda
// out: ok libcuxx
#include "conformance.h"
#include <cuda/annotated_ptr>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/tuple>
#include <cuda/stream_ref>

static_assert(cuda::ceil_div(7, 2) == 4 && cuda::ceil_div(8u, 4) == 2 && cuda::ceil_div(0, 3) == 0, "");
static_assert(cuda::round_up(13, 4) == 16 && cuda::round_down(13, 4) == 12 && cuda::round_up(16, 4) == 16, "");

__global__ void through(int *p, int n)
{
    cuda::annotated_ptr<int, cuda::access_property::persisting> kept{p};
    cuda::annotated_ptr<int, cuda::access_property> asked{p, cuda::access_property::streaming{}};
    cuda::annotated_ptr<const int, cuda::access_property::global> reads{p};
    int i = threadIdx.x;
    kept[i] = 3 * i;
    __syncthreads();
    if (i == 0) cuda::apply_access_property(p, (size_t)n * sizeof *p, cuda::access_property::persisting{});
    asked[i] += reads[(i + 1) % n] * 0 + 1;
    int *plain = cuda::associate_access_property(p, cuda::access_property::normal{});
    __syncthreads();
    if (i == 0) *plain += (bool)kept && &asked[2] - &asked[0] == 2 ? 100 : 0;
}
__global__ void functions(int *p)
{
    auto f = cuda::proclaim_return_type<int>([] __device__(int x) { return x + 1; });
    cuda::std::array<int, 3> a{1, 2, 3};
    auto t = cuda::std::make_tuple(a[2], 4.5);
    p[0] = f(2);
    p[1] = cuda::maximum<int>{}(3, 9) * 10 + cuda::minimum<>{}(4, 6L);
    p[2] = cuda::std::get<0>(t) + (int)cuda::std::get<1>(t);
}

int main()
{
    int *p;
    cudaStream_t s;
    OK(cudaMallocManaged(&p, 64 * sizeof *p));
    OK(cudaStreamCreate(&s));
    cuda::stream_ref ref(s);
    through<<<1, 64, 0, ref.get()>>>(p, 64);
    ref.wait();
    CHECK(ref.ready() && ref == cuda::stream_ref(s));
    for (int i = 0; i < 64; i++) CHECK(p[i] == 3 * i + 1 + (i ? 0 : 100));
    functions<<<1, 1>>>(p);
    OK(cudaDeviceSynchronize());
    CHECK(p[0] == 3 && p[1] == 94 && p[2] == 7);
    OK(cudaStreamDestroy(s));
    OK(cudaFree(p));
    return finish("libcuxx");
}
