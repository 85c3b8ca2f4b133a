// The pinned source of a copy is filled again while it may still be sent.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) h[i] = round;                // B
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, a); // A
#ifdef RIGHT
        cudaStreamSynchronize(a);
#endif
    }
    return finish();
}
