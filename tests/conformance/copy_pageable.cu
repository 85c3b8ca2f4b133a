// Pageable memory: a small copy to the device is put aside and returns; a big one, and every one back, blocks.
// run: THREELANE_MODEL=h200
// out: ok copy_pageable
#include "conformance.h"

int main()
{
    const size_t small[] = {4, 4 << 10, 64 << 10, 128 << 10, 1 << 20, 2 << 20};
    const size_t all[] = {4, 64 << 10, 128 << 10, 1 << 20, 16 << 20};
    char *d, *p = (char *)malloc(16 << 20);
    cudaStream_t s;
    warm_up();
    OK(cudaMalloc(&d, 16 << 20));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    memset(p, 3, 16 << 20);
    OK(cudaMemcpy(d, p, 16 << 20, cudaMemcpyHostToDevice));

    for (size_t bytes : small) {
        busy(s);
        RETURNS_AT_ONCE(cudaMemcpyAsync(d, p, bytes, cudaMemcpyHostToDevice, s));
        IS(cudaErrorNotReady, cudaStreamQuery(s));
        OK(cudaStreamSynchronize(s));
    }
    busy(s);
    TAKES(0.03, AT_ONCE, cudaMemcpyAsync(d, p, 1 << 20, cudaMemcpyHostToDevice, s));     // putting it aside takes time
    OK(cudaStreamSynchronize(s));
    busy(s);
    WAITS(cudaMemcpyAsync(d, p, 4 << 20, cudaMemcpyHostToDevice, s));
    OK(cudaStreamSynchronize(s));
    busy(s);
    TAKES(BUSY + 0.5, 2 * BUSY, cudaMemcpyAsync(d, p, 16 << 20, cudaMemcpyHostToDevice, s));
    OK(cudaStreamSynchronize(s));

    for (size_t bytes : all) {
        memset(p, 0, bytes);
        busy(s);
        WAITS(cudaMemcpyAsync(p, d, bytes, cudaMemcpyDeviceToHost, s));
        IS(cudaSuccess, cudaStreamQuery(s));
        CHECK(p[0] == 3 && p[bytes - 1] == 3);
    }
    busy(s);
    TAKES(BUSY + 0.3, 2 * BUSY, cudaMemcpyAsync(p, d, 16 << 20, cudaMemcpyDeviceToHost, s));
    return finish("copy_pageable");
}
