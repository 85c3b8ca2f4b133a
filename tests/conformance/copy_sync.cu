// Synchronous calls run in the legacy default stream: they wait for blocking streams, not for non-blocking ones.
// Copies inside the device, and sets of device memory, do not hold the host.
// run: THREELANE_MODEL=h200
// out: ok copy_sync
#include "conformance.h"

int main()
{
    static char pageable[4];
    char *d, *d2, *h;
    cudaStream_t blocking, nonblocking;
    warm_up();
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaMalloc(&d2, 1 << 20));
    OK(cudaMallocHost(&h, 1 << 20));
    OK(cudaStreamCreate(&blocking));
    OK(cudaStreamCreateWithFlags(&nonblocking, cudaStreamNonBlocking));

    busy(blocking);
    WAITS(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice));
    busy(blocking);
    WAITS(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
    busy(blocking);
    WAITS(cudaMemcpy(d, pageable, 4, cudaMemcpyHostToDevice));
    busy(blocking);
    WAITS(cudaMemcpy(pageable, d, 4, cudaMemcpyDeviceToHost));
    OK(cudaDeviceSynchronize());

    busy(nonblocking);
    RETURNS_AT_ONCE(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice));
    RETURNS_AT_ONCE(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
    RETURNS_AT_ONCE(cudaMemcpy(d, pageable, 4, cudaMemcpyHostToDevice));
    RETURNS_AT_ONCE(cudaMemcpy(pageable, d, 4, cudaMemcpyDeviceToHost));
    RETURNS_AT_ONCE(cudaMemcpy(d2, d, 1 << 20, cudaMemcpyDeviceToDevice));
    RETURNS_AT_ONCE(cudaMemset(d, 0, 1 << 20));
    IS(cudaErrorNotReady, cudaStreamQuery(nonblocking));
    OK(cudaDeviceSynchronize());

    // Device to device, and a set: ordered behind the blocking stream, and the host goes on.
    busy(blocking);
    RETURNS_AT_ONCE(cudaMemcpy(d2, d, 4, cudaMemcpyDeviceToDevice));
    IS(cudaErrorNotReady, cudaStreamQuery(0));
    OK(cudaDeviceSynchronize());
    busy(blocking);
    RETURNS_AT_ONCE(cudaMemset(d, 0, 4));
    IS(cudaErrorNotReady, cudaStreamQuery(0));
    OK(cudaDeviceSynchronize());
    return finish("copy_sync");
}
