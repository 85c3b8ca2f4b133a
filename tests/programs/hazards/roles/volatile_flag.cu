// A whole warp polls a volatile flag in shared memory: the others get their turns. What one lane did before its fence and the
// store of the flag is handed over, and what the other lanes of its warp did only if a barrier of the warp is before that.
// hazard: shared-race A B
// right: -DRIGHT
__global__ void hand_over(int *out)
{
    __shared__ int data[32];
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        data[lane] = lane;                                       // A
        __threadfence_block();
#ifdef RIGHT
        __syncwarp();
#endif
        if (lane == 0) ready = 1;
    } else {
        while (!ready) { }
        __threadfence_block();
        out[lane] = data[31 - lane];                             // B
    }
}

int main()
{
    int *d;
    cudaMalloc(&d, 32 * sizeof *d);
    hand_over<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
