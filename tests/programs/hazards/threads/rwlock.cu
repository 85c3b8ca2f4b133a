// Readers and a writer.
// hazard: thread-race A B
// right: -DRIGHT
#include <pthread.h>
#include "../hazards.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int *h;
static void *reader(void *)
{
#ifdef RIGHT
    pthread_rwlock_rdlock(&lock);
#endif
    static volatile int seen;
    seen = h[0];                                                 // B
#ifdef RIGHT
    pthread_rwlock_unlock(&lock);
#endif
    return NULL;
}
int main()
{
    cudaMallocHost(&h, BYTES); keep_pinned(h);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, reader, NULL);
    pthread_rwlock_wrlock(&lock);
    h[0] = 1;                                                    // A
    pthread_rwlock_unlock(&lock);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return finish();
}
