// cudaFree of memory from a pool does not wait for anything.
// hazard: free-in-flight A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d;
    cudaStream_t a = stream();
    cudaMallocAsync(&d, BYTES, a);
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaFree(d);                                                 // B
    return finish();
}
