// Freed in one stream while another still works with it, and given out again at once, smaller: what is wrong is the free,
// and it is the old block that is named.
// hazard: use-after-free A B
// err: old[0..4095]
// not: fresh
// not: not reused
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *old, *fresh;
    cudaStream_t a = stream(), b = stream();
    cudaMallocAsync(&old, BYTES, a);
    order(a, b);
    fill<<<4, 256, 0, b>>>(old, N, 1);                           // A
#ifdef RIGHT
    order(b, a);
#endif
    cudaFreeAsync(old, a);                                       // B
    cudaMallocAsync(&fresh, BYTES / 2, a);
    if (fresh != old) printf("not reused\n");
    fill<<<4, 256, 0, a>>>(fresh, N / 2, 2);
    cudaFreeAsync(fresh, a);
    cudaStreamSynchronize(b);
    cudaStreamSynchronize(a);
    return finish();
}
