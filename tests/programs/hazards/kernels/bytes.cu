// Neighbouring bytes are apart; the same byte is not.
// hazard: race A B
// err: d[101..101]
// right: -DRIGHT
#include "../hazards.h"
__global__ void put(char *p, int at) { p[at] = 1; }
int main()
{
    char *d; cudaMalloc(&d, 256); keep(d, 256);
    cudaStream_t a = stream(), b = stream();
    put<<<1, 1, 0, a>>>(d, 101);                                 // A
#ifdef RIGHT
    put<<<1, 1, 0, b>>>(d, 102);
    cudaDeviceSynchronize();
#else
    put<<<1, 1, 0, b>>>(d, 101);                                 // B
#endif
    return finish();
}
