// A flag with release and acquire hands a buffer over; a relaxed one does not.
// hazard: thread-race A B
// right: -DRIGHT
#include <atomic>
#include <thread>
#include "../hazards.h"
#ifdef RIGHT
static const std::memory_order SET = std::memory_order_release, SEE = std::memory_order_acquire;
#else
static const std::memory_order SET = std::memory_order_relaxed, SEE = std::memory_order_relaxed;
#endif
int main()
{
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    std::atomic<bool> full(false);
    std::thread filler([&] {
        for (int i = 0; i < N; i++) h[i] = i;                    // A
        full.store(true, SET);
    });
    while (!full.load(SEE)) std::this_thread::yield();
    int last = h[N - 1];                                         // B
    filler.join();
    return last == N - 1 ? finish() : 1;
}
