// Blocking streams wait for the default stream, not for each other.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(cudaStreamDefault), b = stream(cudaStreamDefault);
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    fill<<<1, 1>>>(d, 0, 0);          // the default stream between them orders them
#endif
    fill<<<4, 256, 0, b>>>(d, N, 2);                             // B
    cudaStreamSynchronize(b);
    return finish();
}
