// A flag with release and acquire hands a buffer over; a relaxed one does not.
// hazard: thread-race A B
// right: -DRIGHT
#include <atomic>
#include <pthread.h>
#include <sched.h>
#include "../hazards.h"
#ifdef RIGHT
static const std::memory_order SET = std::memory_order_release, SEE = std::memory_order_acquire;
#else
static const std::memory_order SET = std::memory_order_relaxed, SEE = std::memory_order_relaxed;
#endif
static std::atomic<bool> full(false);
static void *work(void *data)
{
    for (int i = 0; i < N; i++) ((int *)data)[i] = i;            // A
    full.store(true, SET);
    return NULL;
}
int main()
{
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    pthread_t filler;
    pthread_create(&filler, NULL, work, h);
    while (!full.load(SEE)) sched_yield();
    int last = h[N - 1];                                         // B
    pthread_join(filler, NULL);
    return last == N - 1 ? finish() : 1;
}
