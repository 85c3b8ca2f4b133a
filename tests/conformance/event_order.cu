// An event orders two streams: the second starts after the first, a third takes no part.
// run: THREELANE_MODEL=h200
// out: ok event_order
#include "conformance.h"

int main()
{
    const long long ms = 1000000;
    unsigned long long *at, h[3][2];
    cudaStream_t s[3];
    cudaEvent_t done;
    warm_up();
    for (int i = 0; i < 3; i++) OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    OK(cudaMalloc(&at, sizeof h));
    OK(cudaDeviceSynchronize());

    spin<<<1, 1, 0, s[0]>>>(10 * ms, at);
    OK(cudaEventRecord(done, s[0]));
    OK(cudaStreamWaitEvent(s[1], done, 0));
    spin<<<1, 1, 0, s[1]>>>(5 * ms, at + 2);
    spin<<<1, 1, 0, s[2]>>>(5 * ms, at + 4);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, at, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[1][0] >= h[0][1]);
    CHECK(h[1][0] < h[0][1] + ms);
    CHECK(h[2][0] < h[0][1]);
    return finish("event_order");
}
