// A race on a variable of device 1's own has the variable's name and declaration.
// run: THREELANE_MODEL=@/two.ini
// hazard: race A B
// right: -DRIGHT
// err:   counters: 1024 bytes of a __device__ variable, declared at second_variable.cu:8
// not: memory[
#include "../hazards.h"
__device__ int counters[256];
__global__ void count() { counters[threadIdx.x]++; }
int main()
{
    void *at;
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaSetDevice(1);
    cudaStream_t a = stream(), b = stream();
    cudaGetSymbolAddress(&at, counters);
    count<<<1, 256, 0, a>>>();                                               // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaMemcpyAsync(h, at, sizeof counters, cudaMemcpyDeviceToHost, b);      // B
    cudaStreamSynchronize(b);
    return finish();
}
