// cudaMemset of device memory returns at once, and a non-blocking stream does not wait for it.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream();
    cudaMemset(d, 0, BYTES);                                     // A
#ifdef RIGHT
    cudaStreamSynchronize(0);
#endif
    add<<<4, 256, 0, a>>>(d, N);                                 // B
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    return finish();
}
