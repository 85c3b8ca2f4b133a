// lessons/inside-a-block.md: the same with a pipeline object, which counts threads.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cstdio>

namespace cg = cooperative_groups;

enum { TILES = 8, TILE = 128 };

__global__ void sums(const float *in, float *out)
{
    __shared__ alignas(16) float buffer[2][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int lane = warp.thread_rank();
    bool loads = warp.meta_group_rank() == 0;

    auto role = loads ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);

    if (loads) {
        for (int tile = 0; tile < TILES; tile++) {
            pipe.producer_acquire();            // "empty"
            cuda::memcpy_async(warp, buffer[tile % 2], in + tile * TILE, TILE * sizeof(float), pipe);
            pipe.producer_commit();             // "full"
        }
    } else {
        for (int tile = 0; tile < TILES; tile++) {
            pipe.consumer_wait();
            float sum = 0;
            for (int i = lane; i < TILE; i += 32) sum += buffer[tile % 2][i];
            pipe.consumer_release();
            for (int by = 16; by; by /= 2) sum += warp.shfl_down(sum, by);
            if (lane == 0) out[tile] = sum;
        }
    }
}

int main()
{
    static float h[TILES * TILE], result[TILES];
    float *in, *out;
    for (int i = 0; i < TILES * TILE; i++) h[i] = 1 + i / TILE;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < TILES; i++) right = right && result[i] == TILE * (1.0f + i);
    printf("%s\n", right ? "right" : "wrong");
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
