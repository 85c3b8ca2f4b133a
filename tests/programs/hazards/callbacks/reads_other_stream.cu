// A host function comes after what is before it in its stream, not after another stream's copy.
// hazard: host-race A B
// err: CB0 in stream 2 reads h[0..3]
// right: -DRIGHT
#include "../hazards.h"
static void CUDART_CB look(void *data)
{
    static volatile int seen;
    seen = *(int *)data;                                         // B
}
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h; cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    order(a, b);
#endif
    cudaLaunchHostFunc(b, look, h);
#ifdef RIGHT
    cudaStreamSynchronize(b);
#endif
    return finish();
}
