// The semaphore is posted when the kernel is launched, or when it is done.
// hazard: host-race A B
// right: -DRIGHT
#include <pthread.h>
#include <semaphore.h>
#include "../hazards.h"
static sem_t ready;
static int *m;
static void *use(void *)
{
    sem_wait(&ready);
    m[3]++;                                                      // B
    return NULL;
}
int main()
{
    cudaMallocManaged(&m, BYTES); keep_managed(m);
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, use, NULL);
    fill<<<4, 256>>>(m, N, 1);                                   // A
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    sem_post(&ready);
    pthread_join(thread, NULL);
    return finish();
}
