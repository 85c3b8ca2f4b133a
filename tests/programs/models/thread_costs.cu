// What host threads cost where a model says so: making one, its start, its first CUDA call, and the end of who joins it.
// run: THREELANE_MODEL=unit+thread_create=10000+thread_start=30000+thread_join=200000+thread_first_call=400000+stream_create=50000
// out: created 10, runs 30, first call 400, second 0, own stream 50, joined 200, joined later 0
#include "exact.h"
#include <pthread.h>

static long long began, first, second, third, ended;
static int *d;
__global__ void work(int *p) { *p = 1; }

static void *calls(void *)
{
    began = now_ns();
    work<<<1, 1>>>(d);
    first = now_ns();
    work<<<1, 1>>>(d);
    second = now_ns();
    cudaStreamQuery(cudaStreamPerThread);
    third = now_ns();
    ended = now_ns();
    return NULL;
}
static void *nothing(void *) { return NULL; }

int main()
{
    pthread_t thread;
    MUST(cudaMalloc(&d, sizeof(int)));
    MUST(cudaDeviceSynchronize());
    long long begin = now_ns();
    pthread_create(&thread, NULL, calls, NULL);
    long long created = now_ns();
    pthread_join(thread, NULL);
    long long joined = now_ns();
    printf("created %lld, runs %lld, first call %lld, second %lld, own stream %lld, joined %lld", (created - begin) / 1000,
           (began - begin) / 1000, (first - began) / 1000, (second - first) / 1000, (third - second) / 1000,
           (joined - ended) / 1000);

    // one that has ended already is joined at once
    MUST(cudaDeviceSynchronize());
    pthread_create(&thread, NULL, nothing, NULL);
    work<<<1, 1>>>(d);
    MUST(cudaDeviceSynchronize());
    begin = now_ns();
    pthread_join(thread, NULL);
    printf(", joined later %lld\n", (now_ns() - begin) / 1000);
    return 0;
}
