// A copy to a __constant__ variable in a stream of its own, while a kernel in another one reads it.
// hazard: race A B
// err: coef[0..63]
// err: coef: 64 bytes of a __constant__ variable, declared at constant.cu:9
// right: -DRIGHT
#include "../hazards.h"


__constant__ float coef[16];
__global__ void apply(float *out) { out[threadIdx.x] = coef[threadIdx.x]; }
int main()
{
    float *d; cudaMalloc(&d, BYTES); keep(d);
    float *h; cudaMallocHost(&h, 64);
    for (int i = 0; i < 16; i++) h[i] = i;
    cudaStream_t a = stream(), b = stream();
    apply<<<1, 16, 0, a>>>(d);                                   // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaMemcpyToSymbolAsync(coef, h, 64, 0, cudaMemcpyHostToDevice, b);      // B
    cudaDeviceSynchronize();
    cudaFreeHost(h);
    return finish();
}
