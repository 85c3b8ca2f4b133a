// One thread records, another waits for the event: with the recording thread known to be past the record, or not.
// hazard: race B A
// right: -DRIGHT
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
#include "../hazards.h"
static int *d;
static cudaStream_t a, b;
static cudaEvent_t e;
static sem_t recorded;
static void *work(void *)
{
#ifndef RIGHT
    sem_post(&recorded);
    usleep(1000);
#endif
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
    cudaEventRecord(e, a);
#ifdef RIGHT
    sem_post(&recorded);
#endif
    return NULL;
}
int main()
{
    cudaMalloc(&d, BYTES); keep(d);
    a = stream(), b = stream(), e = event();
    sem_init(&recorded, 0, 0);
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    sem_wait(&recorded);
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    pthread_join(other, NULL);
    cudaStreamSynchronize(b);
    return finish();
}
