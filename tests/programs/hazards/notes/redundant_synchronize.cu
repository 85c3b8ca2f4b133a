// cudaDeviceSynchronize after the only stream has been waited for; and one in a loop that does something only once is
// not redundant.
// check: hazards
// hazard: redundant A
// err: cudaDeviceSynchronize orders nothing that was not ordered before; it took 0.000 ms
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); cudaMemset(d, 0, BYTES);
    cudaStream_t a = stream(cudaStreamDefault);
    for (int i = 0; i < 3; i++) {
        if (i == 1) fill<<<4, 256, 0, a>>>(d, N, 1);
        cudaStreamSynchronize(a);
    }
#ifndef RIGHT
    cudaDeviceSynchronize();                                     // A
#endif
    cudaFree(d);
    cudaStreamDestroy(a);
    return 0;
}
