// CUDA_DEVICE_MAX_CONNECTIONS is read when the context is made: set later it changes nothing.
// run: THREELANE_MODEL=h200
// out: ok connections_late
#include "conformance.h"

int main()
{
    const long long ms = 1000000;
    unsigned long long *at, h[3][2];
    cudaStream_t s, t;
    warm_up();
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1);
    OK(cudaMalloc(&at, sizeof h));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaDeviceSynchronize());

    spin<<<1, 1, 0, s>>>(10 * ms, at);
    spin<<<1, 1, 0, s>>>(10 * ms, at + 2);
    spin<<<1, 1, 0, t>>>(10 * ms, at + 4);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, at, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[1][0] >= h[0][1]);
    CHECK(h[2][0] < h[0][1]);                         // beside the first
    return finish("connections_late");
}
