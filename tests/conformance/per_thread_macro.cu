// -DCUDA_API_PER_THREAD_DEFAULT_STREAM: stream 0 is the thread's own, which still waits for the legacy stream and
// holds it up.
// run: THREELANE_MODEL=h200
// flags: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// nvcc: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// out: ok per_thread_macro
#include "conformance.h"

int main()
{
    const long long ms = 1000000;
    unsigned long long *at, h[4][2];
    cudaStream_t s;
    warm_up();
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc(&at, sizeof h));
    OK(cudaMemset(at, 0, sizeof h));
    OK(cudaDeviceSynchronize());

    // A copy in stream 0 does not wait for a blocking stream.
    busy(s);
    RETURNS_AT_ONCE(cudaMemcpy(h, at, 4, cudaMemcpyDeviceToHost));
    IS(cudaSuccess, cudaStreamQuery(0));
    IS(cudaErrorNotReady, cudaStreamQuery(cudaStreamLegacy));
    OK(cudaDeviceSynchronize());

    // Nor does one that is called by way of a value.
    cudaError_t (*set)(void *, int, size_t, cudaStream_t) = cudaMemsetAsync;
    cudaError_t (*wait)(cudaStream_t) = cudaStreamSynchronize;
    busy(s);
    OK(set(at, 0, sizeof h, 0));
    RETURNS_AT_ONCE(wait(0));
    OK(cudaDeviceSynchronize());

    // own, legacy, own, and a blocking stream behind the legacy one.
    spin<<<1, 1, 0, cudaStreamPerThread>>>(10 * ms, at);
    spin<<<1, 1, 0, cudaStreamLegacy>>>(5 * ms, at + 2);
    spin<<<1, 1, 0, cudaStreamPerThread>>>(5 * ms, at + 4);
    spin<<<1, 1, 0, s>>>(5 * ms, at + 6);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, at, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[1][0] >= h[0][1]);
    CHECK(h[2][0] >= h[1][1]);
    CHECK(h[3][0] >= h[1][1]);
    CHECK(h[3][0] < h[2][1]);
    return finish("per_thread_macro");
}
