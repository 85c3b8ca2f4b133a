// Each device has its own default stream; that of one orders nothing on the other.
// run: THREELANE_MODEL=@/two.ini
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *h; cudaHostAlloc(&h, BYTES, cudaHostAllocMapped); keep_pinned(h);
    fill<<<4, 256>>>(h, N, 1);                                   // A
#ifdef RIGHT
    cudaStreamSynchronize(0);
#endif
    cudaSetDevice(1);
    add<<<4, 256>>>(h, N);                                       // B
#ifdef RIGHT
    cudaStreamSynchronize(0);
#endif
    return finish();
}
