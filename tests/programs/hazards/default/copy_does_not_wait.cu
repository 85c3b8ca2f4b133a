// cudaMemcpy waits for the default stream, and so for blocking streams; not for a non-blocking one.
// hazard: race A B
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
    int h[N];
    cudaStream_t a = stream(FLAGS);
    fill<<<4, 256, 0, a>>>(d, N, 7);                             // A
    cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);             // B
    return h[0] == 7 || h[0] == 0 ? finish() : 1;
}
