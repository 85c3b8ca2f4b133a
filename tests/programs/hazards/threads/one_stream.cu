// Two threads put work into one stream: in the order in which they happen to come. That main has joined the other
// thread says that its copy was issued, not that it is done.
// hazard: host-race A B
// right: -DRIGHT
#include <pthread.h>
#include "../hazards.h"
static int *d, *h;
static cudaStream_t a;
static void *work(void *)
{
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    return NULL;
}
int main()
{
    cudaMalloc(&d, BYTES); keep(d);
    cudaMallocHost(&h, BYTES); keep_pinned(h);
    a = stream();
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    fill<<<4, 256, 0, a>>>(d, N, 1);
    pthread_join(other, NULL);
    int seen = h[0];                                             // B
    return seen == 0 || seen == 1 ? finish() : 1;
}
