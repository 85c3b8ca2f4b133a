// A pipeline of a block without roles counts every thread of it: one warp that produces alone is not enough. With roles
// it is.
#include "roles.h"

__global__ void k(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int buffer[2][TILE];
    auto block = cg::this_thread_block();
    bool produces = threadIdx.x < TILE;
#ifdef RIGHT
    auto pipe = cuda::make_pipeline(block, &state,
                                    produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
#else
    auto pipe = cuda::make_pipeline(block, &state);
#endif
    int lane = threadIdx.x % TILE;
    for (int i = 0; i < TILES; i++) {
        if (produces) {
            pipe.producer_acquire();
            cuda::memcpy_async(&buffer[i % 2][lane], &in[i * TILE + lane], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();                                       // A
            if (threadIdx.x < 2 * TILE) out[i * TILE + lane] = buffer[i % 2][TILE - 1 - lane];
            pipe.consumer_release();
        }
    }
}

int main() { return run(k, 3 * TILE); }
// hazard: barrier A
// out: unspecified launch failure
// err: threads 32-95 (warps 1-2) at line 24 for stage 0 of the pipeline state (32 of 96 threads have committed in phase 0)
// err: threads 0-31 (warp 0) wait at unified.cu:20 for stage 0 of the pipeline state: 0 of 96 threads have released it
// err: made at unified.cu:15, for 96 threads in a phase
// right: -DRIGHT
