// One past the end of a __constant__ array.
// hazard: out-of-bounds A
// err: reads weights[32..35]
// err: weights: 32 bytes of a __constant__ variable, declared at constant.cu:9
// right: -DRIGHT
#include "../hazards.h"


__constant__ float weights[8], other[8];
__global__ void blur(float *out)
{
    float sum = 0;
#ifdef RIGHT
    for (int k = 0; k < 8; k++)
#else
    for (int k = 0; k <= 8; k++)
#endif
        sum += weights[k];                                       // A
    out[threadIdx.x] = sum + other[threadIdx.x % 8];
}
int main()
{
    float *d; cudaMalloc(&d, BYTES); keep(d);
    blur<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    return finish();
}
