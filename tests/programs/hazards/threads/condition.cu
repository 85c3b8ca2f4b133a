// A queue of filled buffers between two threads. One forgets to wait for the copy before it hands the buffer back.
// hazard: host-race B A
// right: -DRIGHT
#include <condition_variable>
#include <mutex>
#include <thread>
#include "../hazards.h"
static std::mutex mutex;
static std::condition_variable changed;
static bool full;
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    std::thread filler([=] {
        for (int round = 0; round < 3; round++) {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [] { return !full; });
            for (int i = 0; i < N; i++) h[i] = round;            // A
            full = true;
            changed.notify_one();
        }
    });
    for (int round = 0; round < 3; round++) {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [] { return full; });
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a); // B
#ifdef RIGHT
        cudaStreamSynchronize(a);
#endif
        full = false;
        changed.notify_one();
    }
    filler.join();
    return finish();
}
