// Pinned memory: asynchronous copies return at once, synchronous ones when they are done.
// run: THREELANE_MODEL=h200
// schedules: 2
// out: ok copy_pinned
#include "conformance.h"

int main()
{
    const size_t sizes[] = {4, 64 << 10, 128 << 10, 1 << 20, 16 << 20};
    char *d, *h, *h2;
    cudaStream_t s;
    warm_up();
    OK(cudaMalloc(&d, 64 << 20));
    OK(cudaMallocHost(&h, 64 << 20));
    OK(cudaMallocHost(&h2, 64 << 20));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    memset(h, 1, 64 << 20);

    for (size_t bytes : sizes) {
        busy(s);
        RETURNS_AT_ONCE(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s));
        IS(cudaErrorNotReady, cudaStreamQuery(s));
        WAITS(cudaStreamSynchronize(s));
        busy(s);
        RETURNS_AT_ONCE(cudaMemcpyAsync(h2, d, bytes, cudaMemcpyDeviceToHost, s));
        IS(cudaErrorNotReady, cudaStreamQuery(s));
        WAITS(cudaStreamSynchronize(s));
    }
    CHECK(memcmp(h, h2, 16 << 20) == 0);

    // A synchronous copy has happened when it returns: 64 MiB take more than 1 ms over any PCIe.
    memset(h, 7, 64 << 20);
    TAKES(0.5, BUSY, cudaMemcpy(d, h, 64 << 20, cudaMemcpyHostToDevice));
    memset(h2, 0, 64 << 20);
    TAKES(0.5, BUSY, cudaMemcpy(h2, d, 64 << 20, cudaMemcpyDeviceToHost));
    CHECK(memcmp(h, h2, 64 << 20) == 0);

    // Memory that was registered is pinned as well.
    static char plain[1 << 20];
    OK(cudaHostRegister(plain, sizeof plain, cudaHostRegisterDefault));
    busy(s);
    RETURNS_AT_ONCE(cudaMemcpyAsync(plain, d, sizeof plain, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(plain[0] == 7 && plain[sizeof plain - 1] == 7);
    OK(cudaHostUnregister(plain));
    return finish("copy_pinned");
}
