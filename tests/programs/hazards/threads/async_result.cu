// std::async reads what a copy brings; the future orders what main does afterwards.
// hazard: host-race B C
// right: -DRIGHT
#include <future>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    std::future<int> sum = std::async(std::launch::async, [=] {
        cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a); // B
#ifdef RIGHT
        cudaStreamSynchronize(a);
#endif
        int s = 0;
        for (int i = 0; i < N; i++) s += h[i];                   // C
        return s;
    });
    int s = sum.get();
    h[0] = s;                         // after the future
    return s ? 1 : finish();
}
