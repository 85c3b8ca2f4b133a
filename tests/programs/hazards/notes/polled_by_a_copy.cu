// A copy raises a flag that the host polls: usual, and not promised; an event is.
// check: hazards
// hazard: not-guaranteed A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, 4);
    cudaMemset(d, 1, 4);
    cudaDeviceSynchronize();
    int *flag; cudaMallocHost(&flag, 4); *flag = 0;
    cudaStream_t a = stream();
    cudaMemcpyAsync(flag, d, 4, cudaMemcpyDeviceToHost, a);      // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#else
    while (*(volatile int *)flag == 0) { }                       // B
    cudaStreamSynchronize(a);
#endif
    cudaFree(d);
    cudaFreeHost(flag);
    cudaStreamDestroy(a);
    return 0;
}
