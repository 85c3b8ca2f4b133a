// What these programs share: one block, whose kernel gets N ints and makes N of them.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { TILES = 6, TILE = 32, N = TILES * TILE };

template <class Kernel> static int run(Kernel kernel, int threads)
{
    int *in, *out, host[N], sum = 0;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    for (int i = 0; i < N; i++) host[i] = i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    kernel<<<1, threads>>>(in, out);
    cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) sum += host[i];
    if (error) printf("%s\n", cudaGetErrorString(error));
    else printf("sum %d\n", sum);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
