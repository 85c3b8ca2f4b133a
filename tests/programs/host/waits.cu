// Everything that threads wait with, in virtual time and to the nanosecond: a host function that gives a buffer back
// through a condition variable, a semaphore that it posts, a mutex that it holds, a thread that is joined.
// run: THREELANE_MODEL=unit
// out: condition 1000000, mutex 3000000, semaphore 1000000, join 2000000, barrier 1000000
#include <cstdio>
#include <ctime>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static bool free_buffer;

static long long now_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}
__global__ void work(int *p) { *p = 1; }

static void give_back(void *)
{
    pthread_mutex_lock(&mutex);
    free_buffer = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}
static void post(void *) { sem_post(&semaphore); }
static void hold(void *)
{
    pthread_mutex_lock(&mutex);
    usleep(2000);
    pthread_mutex_unlock(&mutex);
}
static void *two_units(void *stream)
{
    int *d;
    cudaMalloc(&d, 4);
    for (int i = 0; i < 2; i++) work<<<1, 1, 0, (cudaStream_t)stream>>>(d);
    cudaStreamSynchronize((cudaStream_t)stream);
    return NULL;
}
static void *meet(void *stream)
{
    int *d;
    cudaMalloc(&d, 4);
    work<<<1, 1, 0, (cudaStream_t)stream>>>(d);
    cudaStreamSynchronize((cudaStream_t)stream);
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main()
{
    int *d;
    long long at[6];
    cudaStream_t s;
    pthread_t thread;
    cudaMalloc(&d, 4);
    cudaStreamCreate(&s);
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    usleep(1);

    at[0] = now_ns();
    work<<<1, 1, 0, s>>>(d);
    cudaLaunchHostFunc(s, give_back, NULL);
    pthread_mutex_lock(&mutex);
    while (!free_buffer) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    at[1] = now_ns();
    work<<<1, 1, 0, s>>>(d);
    cudaLaunchHostFunc(s, hold, NULL);
    while (cudaStreamQuery(s) == cudaErrorNotReady && !pthread_mutex_trylock(&mutex)) pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);      // the function took it at the kernel's end and keeps it for two milliseconds
    pthread_mutex_unlock(&mutex);
    at[2] = now_ns();
    cudaStreamSynchronize(s);
    work<<<1, 1, 0, s>>>(d);
    cudaLaunchHostFunc(s, post, NULL);
    sem_wait(&semaphore);
    at[3] = now_ns();
    pthread_create(&thread, NULL, two_units, s);
    pthread_join(thread, NULL);
    at[4] = now_ns();
    pthread_create(&thread, NULL, meet, s);
    pthread_barrier_wait(&barrier);
    at[5] = now_ns();
    pthread_join(thread, NULL);
    printf("condition %lld, mutex %lld, semaphore %lld, join %lld, barrier %lld\n", at[1] - at[0], at[2] - at[1],
           at[3] - at[2], at[4] - at[3], at[5] - at[4]);
    return 0;
}
