// Past the end of a __device__ array that has values.
// hazard: out-of-bounds A
// err: squares: 16 bytes of a __device__ variable, declared at device_values.cu:6
// right: -DRIGHT
#include "../hazards.h"
__device__ int squares[4] = {0, 1, 4, 9}, cubes[4] = {0, 1, 8, 27};
__global__ void get(int *out, int n) { *out = squares[n] + cubes[n % 4]; }    // A
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
#ifdef RIGHT
    get<<<1, 1>>>(d, 3);
#else
    get<<<1, 1>>>(d, 4);
#endif
    cudaDeviceSynchronize();
    return finish();
}
