// A fence before the flag.
__global__ void hand_over(int *out)
{
    __shared__ int value, ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 42;
        __threadfence_block();
        atomicExch(&ready, 1);
    }
    if (threadIdx.x == 32) {
        while (atomicAdd(&ready, 0) == 0) {
        }
        *out = value;
    }
}

int main()
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    hand_over<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
