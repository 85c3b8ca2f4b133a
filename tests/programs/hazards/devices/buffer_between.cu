// Device 0 puts a result into pinned memory, device 1 fetches it there. An event orders streams of two devices.
// run: THREELANE_MODEL=@/two.ini
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    cudaSetDevice(1);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    cudaStream_t b = stream();
    cudaSetDevice(0);
    cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaSetDevice(1);
    cudaMemcpyAsync(y, h, BYTES, cudaMemcpyHostToDevice, b);     // B
#ifdef RIGHT
    cudaStreamSynchronize(b);
#endif
    return finish();
}
