// A thread waits for its copy and keeps a promise; main reads after the future, or before.
// hazard: host-race A B
// right: -DRIGHT
#include <future>
#include <thread>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    std::promise<void> arrived, seen;
    std::thread fetcher([&] {
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a); // A
#ifndef RIGHT
        arrived.set_value();
#endif
        cudaStreamSynchronize(a);
#ifdef RIGHT
        arrived.set_value();
#endif
    });
    arrived.get_future().wait();
    int value = h[0];                                            // B
    fetcher.join();
    return value ? 1 : finish();
}
