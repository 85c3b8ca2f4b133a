// Past the end of a __device__ array.
//
// hazard: out-of-bounds A
// err: table: 64 bytes of a __device__ variable, declared at device_variable.cu:9
// right: -DRIGHT
#include "../hazards.h"


__device__ int table[16];
__global__ void put(int n) { table[n] = n; }                     // A
int main()
{
#ifdef RIGHT
    put<<<1, 1>>>(15);
#else
    put<<<1, 1>>>(16);
#endif
    cudaDeviceSynchronize();
    return 0;
}
