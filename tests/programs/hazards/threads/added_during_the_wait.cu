// While main waits for a stream, another thread puts a copy into it: main's wait was not for that.
// hazard: host-race A B
// right: -DRIGHT
#include <thread>
#include "../hazards.h"
__global__ void slowly(int *p)
{
    long long begin = clock64();
    while (clock64() - begin < 5000000) { }
    *p = 1;
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    slowly<<<1, 1, 0, a>>>(d);
    std::thread other([=] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a); // A
#ifdef RIGHT
        cudaStreamSynchronize(a);
#endif
    });
#ifdef RIGHT
    other.join();
#else
    cudaStreamSynchronize(a);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
#endif
    int seen = h[0];                                             // B
    if (other.joinable()) other.join();
    return seen == 1 || seen == 0 ? finish() : 1;
}
