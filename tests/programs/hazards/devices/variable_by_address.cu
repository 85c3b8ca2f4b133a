// Device 0's variable by its address in a copy to device 1's, and by its name in a kernel: the same bytes. Device 1's own
// variable, which has the same name, is not.
// run: THREELANE_MODEL=unit+devices=2
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
__device__ int counter[32];
__global__ void count() { counter[threadIdx.x]++; }
int main()
{
    int *own, *peers, *y;
    cudaStream_t a = stream(), c = stream();
    cudaGetSymbolAddress((void **)&own, counter);
    cudaSetDevice(1);
    cudaGetSymbolAddress((void **)&peers, counter);
    cudaMalloc(&y, BYTES);
    keep(y);
    cudaSetDevice(0);
#ifdef RIGHT
    own = peers;
#endif
    count<<<1, 32, 0, a>>>();                                    // A
    cudaMemcpyAsync(y, own, sizeof counter, cudaMemcpyDefault, c); // B
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(c);
    return finish();
}
