// One thread fills the buffer, main sends it: after a join, or after a while.
// hazard: host-race A B
// right: -DRIGHT
#include <thread>
#include <unistd.h>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    std::thread filler([=] {
        for (int i = 0; i < N; i++) h[i] = i;                    // A
    });
#ifdef RIGHT
    filler.join();
#else
    usleep(1000000);
#endif
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice);             // B
    if (filler.joinable()) filler.join();
    return finish();
}
