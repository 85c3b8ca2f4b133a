// cudaDeviceSynchronize waits for the current device only.
// run: THREELANE_MODEL=@/two.ini
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *h; cudaMallocHost(&h, 2 * BYTES); keep_pinned(h, 2 * BYTES);
    cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, 0);     // A
    cudaSetDevice(1);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    cudaMemcpyAsync(h + N, y, BYTES, cudaMemcpyDeviceToHost, 0);
    cudaDeviceSynchronize();
#ifdef RIGHT
    cudaSetDevice(0);
    cudaDeviceSynchronize();
#endif
    int sum = h[0]                                               // B
              + h[N];
    return sum ? 1 : finish();
}
