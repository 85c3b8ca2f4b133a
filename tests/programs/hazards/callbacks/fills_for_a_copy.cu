// A host function fills a buffer, a copy sends it: in one stream that is an order, in two it is none.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
static void CUDART_CB put(void *data)
{
    for (int i = 0; i < N; i++) ((int *)data)[i] = i;            // A
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaLaunchHostFunc(a, put, h);
#ifdef RIGHT
    b = a;
#endif
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, b);     // B
#ifdef RIGHT
    cudaStreamSynchronize(b);
#endif
    return finish();
}
