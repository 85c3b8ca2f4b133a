// At most 128 grids are resident: of 200 kernels of one block in 200 streams, 128 start, then 72.
// run: THREELANE_MODEL=h200
// out: ok resident_grids
#include "conformance.h"

enum { KERNELS = 200, RESIDENT = 128 };

int main()
{
    static unsigned long long h[KERNELS][2];
    static cudaStream_t s[KERNELS];
    unsigned long long *at, first = ~0ull, first_end = ~0ull, last = 0;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
    warm_up();
    OK(cudaMalloc(&at, sizeof h));
    for (int i = 0; i < KERNELS; i++) {
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        busy(s[i], 0.001);
    }
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < KERNELS; i++) spin<<<1, 1, 0, s[i]>>>(20000000, at + 2 * i);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, at, sizeof h, cudaMemcpyDeviceToHost));
    int early = 0;
    for (int i = 0; i < KERNELS; i++) {
        if (h[i][0] < first) first = h[i][0];
        if (h[i][1] < first_end) first_end = h[i][1];
        if (h[i][1] > last) last = h[i][1];
    }
    for (int i = 0; i < KERNELS; i++) early += h[i][0] < first_end;
    CHECK(early == RESIDENT);
    CHECK(last - first > 39000000 && last - first < 50000000);
    return finish("resident_grids");
}
