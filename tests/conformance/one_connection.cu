// CUDA_DEVICE_MAX_CONNECTIONS=1, set in main: streams share the one hardware queue, so a kernel of another stream
// waits behind one that itself waits.
// run: THREELANE_MODEL=h200
// out: ok one_connection
#include "conformance.h"

int main()
{
    const long long ms = 1000000;
    unsigned long long *at, h[3][2];
    cudaStream_t s, t;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1);
    warm_up();
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
    CHECK(h[2][0] >= h[0][1]);                        // a false dependency
    CHECK(h[2][0] < h[1][1]);                         // and no more than that
    return finish("one_connection");
}
