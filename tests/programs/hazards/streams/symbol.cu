// A variable of the device: written by a copy to the symbol, read by a kernel of another stream.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
__device__ int table[N];
__global__ void use(int *to) { to[threadIdx.x] = table[threadIdx.x]; }
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaMemcpyToSymbolAsync(table, h, BYTES, 0, cudaMemcpyHostToDevice, a);      // A
#ifdef RIGHT
    order(a, b);
#endif
    use<<<1, 256, 0, b>>>(d);                                    // B
    cudaStreamSynchronize(b);
    return finish();
}
