// While main waits for a stream, another thread puts a copy into it: main's wait was not for that.
// hazard: host-race A B
// right: -DRIGHT
#include <pthread.h>
#include <unistd.h>
#include "../hazards.h"
__global__ void slowly(int *p)
{
    long long begin = clock64();
    while (clock64() - begin < 5000000) { }
    *p = 1;
}
static int *d, *h;
static cudaStream_t a;
static void *work(void *)
{
    usleep(1000);
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
    slowly<<<1, 1, 0, a>>>(d);
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
#ifdef RIGHT
    pthread_join(other, NULL);
#else
    cudaStreamSynchronize(a);
    usleep(20000);
#endif
    int seen = h[0];                                             // B
#ifndef RIGHT
    pthread_join(other, NULL);
#endif
    return seen == 1 || seen == 0 ? finish() : 1;
}
