// A pageable copy in one stream does not stop a kernel in another: it holds the host thread, nothing else.
// run: THREELANE_MODEL=h200
// out: ok copy_beside_kernel
#include "conformance.h"

int main()
{
    char *d, *p = (char *)malloc(32 << 20);
    cudaStream_t a, b;
    warm_up();
    OK(cudaMalloc(&d, 32 << 20));
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    memset(p, 1, 32 << 20);
    OK(cudaMemcpy(d, p, 32 << 20, cudaMemcpyHostToDevice));

    busy(a);
    TAKES(0.5, WAITED, cudaMemcpyAsync(d, p, 32 << 20, cudaMemcpyHostToDevice, b));
    IS(cudaErrorNotReady, cudaStreamQuery(a));
    TAKES(0.5, WAITED, cudaMemcpyAsync(p, d, 32 << 20, cudaMemcpyDeviceToHost, b));
    IS(cudaErrorNotReady, cudaStreamQuery(a));
    OK(cudaDeviceSynchronize());

    // Pageable is slower than pinned, both ways.
    char *h;
    double begin, pageable_in, pageable_out, pinned_in, pinned_out;
    OK(cudaMallocHost(&h, 32 << 20));
    memset(h, 1, 32 << 20);
    OK(cudaMemcpy(d, h, 32 << 20, cudaMemcpyHostToDevice));
    begin = now_ms();
    OK(cudaMemcpy(d, p, 32 << 20, cudaMemcpyHostToDevice));
    pageable_in = now_ms() - begin, begin = now_ms();
    OK(cudaMemcpy(p, d, 32 << 20, cudaMemcpyDeviceToHost));
    pageable_out = now_ms() - begin, begin = now_ms();
    OK(cudaMemcpy(d, h, 32 << 20, cudaMemcpyHostToDevice));
    pinned_in = now_ms() - begin, begin = now_ms();
    OK(cudaMemcpy(h, d, 32 << 20, cudaMemcpyDeviceToHost));
    pinned_out = now_ms() - begin;
    CHECK(pageable_in > 1.3 * pinned_in);
    CHECK(pageable_out > 1.3 * pinned_out);
    return finish("copy_beside_kernel");
}
