// lessons/inside-a-block.md: a warp that loads hands tiles to a warp that adds them up, through two buffers.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cstdio>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { TILES = 8, TILE = 128 };

__global__ void sums(const float *in, float *out)
{
    __shared__ alignas(16) float buffer[2][TILE];
    __shared__ barrier full[2], empty[2];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int lane = warp.thread_rank();

    if (block.thread_rank() == 0)
        for (int s = 0; s < 2; s++) {
            init(&full[s], 64);                 // 32 arrivals of each warp
            init(&empty[s], 64);
        }
    block.sync();                               // nobody uses a barrier that is not made yet

    if (warp.meta_group_rank() == 0) {          // the loader
        for (int tile = 0; tile < TILES; tile++) {
            int s = tile % 2;
            empty[s].arrive_and_wait();         // until it has been read
            cuda::memcpy_async(warp, buffer[s], in + tile * TILE, TILE * sizeof(float), full[s]);
            (void)full[s].arrive();             // and go on: the copy may still be on its way
        }
    } else {                                    // the adder
        (void)empty[0].arrive();                // at first, both are empty
        (void)empty[1].arrive();
        for (int tile = 0; tile < TILES; tile++) {
            int s = tile % 2;
            full[s].arrive_and_wait();          // until all have arrived and the copy has
            float sum = 0;
            for (int i = lane; i < TILE; i += 32) sum += buffer[s][i];
            (void)empty[s].arrive();
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
