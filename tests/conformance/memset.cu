// cudaMemset does not hold the host unless the host can see the target; cudaMemsetAsync never does.
// run: THREELANE_MODEL=h200
// out: ok memset
#include "conformance.h"

int main()
{
    unsigned char *d, *h, *m, back[16];
    cudaStream_t s;
    warm_up();
    OK(cudaMalloc(&d, 1 << 20));
    OK(cudaMallocHost(&h, 4096));
    OK(cudaMallocManaged(&m, 4096));
    memset(h, 0, 4096);
    m[0] = 0;
    OK(cudaStreamCreate(&s));

    busy(s);
    RETURNS_AT_ONCE(cudaMemset(d, 1, 1 << 20));
    RETURNS_AT_ONCE(cudaMemsetAsync(d, 0x1ab, 16, s));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(back, d + 8, 16, cudaMemcpyDeviceToHost));
    CHECK(back[0] == 0xab && back[7] == 0xab && back[8] == 1);      // the low byte of the value

    busy(s);
    WAITS(cudaMemset(h, 2, 4096));
    CHECK(h[4095] == 2);
    busy(s);
    WAITS(cudaMemset(m, 3, 4096));
    CHECK(m[4095] == 3);

    busy(s);
    RETURNS_AT_ONCE(cudaMemsetAsync(m, 5, 4096, s));
    OK(cudaStreamSynchronize(s));
    CHECK(m[4095] == 5);

    busy(s);
    RETURNS_AT_ONCE(cudaMemsetAsync(h, 4, 4096, s));
    CHECK(*(volatile unsigned char *)h == 2);
    OK(cudaStreamSynchronize(s));
    CHECK(*(volatile unsigned char *)h == 4);
    return finish("memset");
}
