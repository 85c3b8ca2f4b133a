// Two threads, two phases: each writes its half, then reads the other's. Between the phases there is a barrier.
// hazard: thread-race A B
// right: -DRIGHT
#include <pthread.h>
#include <unistd.h>
#include "../hazards.h"
static pthread_barrier_t barrier;
static int *h;
static void *work(void *arg)
{
    int me = arg != NULL, sum = 0;
    for (int i = 0; i < N / 2; i++) h[me * N / 2 + i] = me;      // A
#ifdef RIGHT
    pthread_barrier_wait(&barrier);
#else
    usleep(1000);
#endif
    for (int i = 0; i < N / 2; i++) sum += h[!me * N / 2 + i];   // B
    return sum < 0 ? arg : NULL;
}
int main()
{
    cudaMallocHost(&h, BYTES); keep_pinned(h);
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, h);
    work(NULL);
    pthread_join(thread, NULL);
    return finish();
}
