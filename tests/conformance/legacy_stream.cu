// The legacy default stream is a barrier between blocking streams; non-blocking streams take no part.
// run: THREELANE_MODEL=h200
// out: ok legacy_stream
#include "conformance.h"

static const unsigned long long ms = 1000000;

int main()
{
    unsigned long long *at, h[6][2];
    cudaStream_t q0, q1, free_stream;
    warm_up();
    OK(cudaMalloc(&at, sizeof h));
    OK(cudaStreamCreate(&q0));
    OK(cudaStreamCreate(&q1));
    OK(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking));
    spin<<<1, 1, 0, cudaStreamPerThread>>>(1000, NULL);
    OK(cudaDeviceSynchronize());

    spin<<<1, 1, 0, q0>>>(10 * ms, at);
    spin<<<1, 1>>>(6 * ms, at + 2);
    spin<<<1, 1, 0, q1>>>(8 * ms, at + 4);
    spin<<<1, 1, 0, free_stream>>>(12 * ms, at + 6);
    spin<<<1, 1, 0, q0>>>(4 * ms, at + 8);
    spin<<<1, 1, 0, cudaStreamPerThread>>>(2 * ms, at + 10);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, at, sizeof h, cudaMemcpyDeviceToHost));
    enum { Q0, LEGACY, Q1, FREE, Q0_AGAIN, PER_THREAD };
    CHECK(h[FREE][0] < h[Q0][1]);                     // beside the first
    CHECK(h[LEGACY][0] >= h[Q0][1]);
    CHECK(h[Q1][0] >= h[LEGACY][1]);
    CHECK(h[Q0_AGAIN][0] >= h[LEGACY][1]);
    CHECK(h[PER_THREAD][0] >= h[LEGACY][1]);
    CHECK(h[Q1][0] < h[LEGACY][1] + ms);              // and these three together
    CHECK(h[Q0_AGAIN][0] < h[LEGACY][1] + ms);
    CHECK(h[PER_THREAD][0] < h[LEGACY][1] + ms);

    // It orders the device's work, not the host.
    busy(q0);
    double begin = now_ms();
    busy(0, 1);
    busy(q1, 1);
    CHECK(now_ms() - begin < AT_ONCE);

    // Querying, synchronizing and recording in it cover blocking streams, not others.
    IS(cudaErrorNotReady, cudaStreamQuery(0));
    IS(cudaErrorNotReady, cudaStreamQuery(cudaStreamLegacy));
    OK(cudaDeviceSynchronize());
    busy(q0);
    WAITS(cudaStreamSynchronize(0));
    cudaEvent_t e;
    OK(cudaEventCreate(&e));
    busy(q0);
    OK(cudaEventRecord(e, 0));
    IS(cudaErrorNotReady, cudaEventQuery(e));
    WAITS(cudaEventSynchronize(e));
    busy(free_stream);
    IS(cudaSuccess, cudaStreamQuery(0));
    RETURNS_AT_ONCE(cudaStreamSynchronize(0));
    OK(cudaEventRecord(e, 0));
    RETURNS_AT_ONCE(cudaEventSynchronize(e));
    IS(cudaErrorNotReady, cudaStreamQuery(free_stream));
    WAITS(cudaDeviceSynchronize());
    return finish("legacy_stream");
}
