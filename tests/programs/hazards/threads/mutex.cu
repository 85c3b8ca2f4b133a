// Two threads count in pinned memory; a mutex orders them.
// hazard: thread-race A A
// right: -DRIGHT
#include <pthread.h>
#include "../hazards.h"
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *count(void *data)
{
#ifdef RIGHT
    pthread_mutex_lock(&mutex);
#endif
    ++*(int *)data;                                              // A
#ifdef RIGHT
    pthread_mutex_unlock(&mutex);
#endif
    return NULL;
}
int main()
{
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, count, h);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    (void)mutex;
    return finish();
}
