// One thread fills the buffer, main sends it: after a join, or after a while.
// hazard: host-race A B
// right: -DRIGHT
#include <pthread.h>
#include <unistd.h>
#include "../hazards.h"
static int *h;
static void *work(void *)
{
    for (int i = 0; i < N; i++) h[i] = i;                        // A
    return NULL;
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaMallocHost(&h, BYTES); keep_pinned(h);
    pthread_t filler;
    pthread_create(&filler, NULL, work, NULL);
#ifdef RIGHT
    pthread_join(filler, NULL);
#else
    usleep(1000000);
#endif
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice);             // B
#ifndef RIGHT
    pthread_join(filler, NULL);
#endif
    return finish();
}
