// cudaFreeHost of a buffer that a copy may still read. (That it happens to wait is not promised.)
// hazard: free-in-flight A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES);
    for (int i = 0; i < N; i++) h[i] = i;
    cudaStream_t a = stream();
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaFreeHost(h);                                             // B
    return finish();
}
