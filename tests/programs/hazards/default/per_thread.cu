// With --default-stream per-thread, <<<1, 1>>> of two threads are two streams: blocking ones, but not ordered with each
// other, nor is a stream of one's own with either.
// flags: --default-stream per-thread
// hazard: race A B
// right: -DRIGHT
#include <pthread.h>
#include "../hazards.h"
static int *d;
static void *work(void *)
{
    fill<<<4, 256>>>(d, N, 1);                                   // A
#ifdef RIGHT
    cudaStreamSynchronize(0);
#endif
    return NULL;
}
int main()
{
    cudaMalloc(&d, BYTES); keep(d);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    add<<<4, 256>>>(d, N);                                       // B
#ifdef RIGHT
    cudaStreamSynchronize(0);
#endif
    return finish();
}
