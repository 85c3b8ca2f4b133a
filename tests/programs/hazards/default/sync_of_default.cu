// To wait for the default stream is to wait for every blocking stream; for a non-blocking one it is not.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
#ifdef RIGHT
enum { FLAGS = cudaStreamDefault };
#else
enum { FLAGS = cudaStreamNonBlocking };
#endif
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(FLAGS);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
    cudaStreamSynchronize(0);
    int seen = h[1];                                             // B
    return seen ? 1 : finish();
}
