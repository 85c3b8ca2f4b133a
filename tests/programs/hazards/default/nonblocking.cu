// A kernel in the default stream, its result fetched in a stream that the default stream does not order.
// hazard: race A B
// err: why: stream 1 was made with cudaStreamNonBlocking: the default stream does not order it
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
    fill<<<4, 256>>>(d, N, 7);                                   // A
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // B
    cudaStreamSynchronize(a);
    return h[0] == 7 || h[0] == 0 ? finish() : 1;
}
