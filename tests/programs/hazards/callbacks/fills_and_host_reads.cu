// What a host function wrote, read by the host before it waited for the stream.
// hazard: host-race A B
// err: the call at fills_and_host_reads.cu:11 returns before it is done
// right: -DRIGHT
#include "../hazards.h"
static void CUDART_CB put(void *data) { *(int *)data = 5; }      // A
int main()
{
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaLaunchHostFunc(a, put, h);
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    int seen = h[0];                                             // B
    return seen == 5 || !seen ? finish() : 1;
}
