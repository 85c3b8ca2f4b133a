// What the block before has left in the memory is not the new one's.
// hazard: uninitialised A
// err: fresh[0..4095]
// not: not reused
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *old, *fresh, *h;
    cudaMallocHost(&h, BYTES);
    keep_pinned(h);
    cudaStream_t a = stream();
    cudaMallocAsync(&old, BYTES, a);
    fill<<<4, 256, 0, a>>>(old, N, 1);
    cudaFreeAsync(old, a);
    cudaMallocAsync(&fresh, BYTES, a);
    if (fresh != old) printf("not reused\n");
#ifdef RIGHT
    cudaMemsetAsync(fresh, 0, BYTES, a);
#endif
    cudaMemcpyAsync(h, fresh, BYTES, cudaMemcpyDeviceToHost, a); // A
    cudaFreeAsync(fresh, a);
    cudaStreamSynchronize(a);
    return finish();
}
