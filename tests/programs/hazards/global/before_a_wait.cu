// A kernel changes a counter without an atomic operation, and then waits for the host's flag.
// hazard: global-race A A
// out: counted
// right: -DRIGHT
#include "../hazards.h"
__global__ void work(int *counter, volatile int *go, int *out)
{
#ifdef RIGHT
    atomicAdd(counter, 1);
#else
    counter[0] = counter[0] + 1;                                 // A
#endif
    if (threadIdx.x == 0) while (*go == 0) {}
    __syncthreads();
    out[threadIdx.x] = (int)threadIdx.x;
}
int main()
{
    int *counter, *out, *go, n;
    cudaMalloc(&counter, sizeof(int)); keep(counter, sizeof(int));
    cudaMalloc(&out, BYTES); keep(out);
    cudaMallocHost(&go, sizeof *go); *go = 0;
    cudaStream_t s = stream();
    work<<<1, 64, 0, s>>>(counter, go, out);
    for (int i = 0; i < 4; i++) cudaStreamQuery(s);
    *(volatile int *)go = 1;
    cudaStreamSynchronize(s);
    cudaMemcpy(&n, counter, sizeof n, cudaMemcpyDeviceToHost);
    puts(n > 0 ? "counted" : "nothing");
    cudaFreeHost(go);
    return finish();
}
