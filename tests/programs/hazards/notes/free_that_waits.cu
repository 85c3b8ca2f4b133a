// cudaFree happens to wait until the kernel that uses the memory is over. It is not promised to.
// check: hazards
// hazard: not-guaranteed A B
// err: why: cudaFree happens to wait until K0 is over; CUDA does not promise that it does
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaDeviceSynchronize();
    cudaStream_t a = stream();
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaFree(d);                                                 // B
    cudaStreamDestroy(a);
    return 0;
}
