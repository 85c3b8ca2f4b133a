// Two threads put work into one stream: in the order in which they happen to come, unless one waits for the other.
// The device's order is never in doubt; the host's is.
// hazard: host-race A B
// right: -DRIGHT
#include <thread>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    std::thread other([=] {
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a); // A
#ifdef RIGHT
        cudaStreamSynchronize(a);
#endif
    });
    fill<<<4, 256, 0, a>>>(d, N, 1);
    other.join();
    int seen = h[0];                                             // B
    return seen == 0 || seen == 1 ? finish() : 1;
}
