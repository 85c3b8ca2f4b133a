// Two streams on a block in memory that was another one's: the new one is named, and the old one's users, who are over, have
// nothing to do with it.
// hazard: race A B
// err: fresh[0..4095]
// not: old
// not: not reused
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *old, *fresh;
    cudaStream_t a = stream(), b = stream();
    cudaMallocAsync(&old, BYTES, a);
    order(a, b);
    fill<<<4, 256, 0, b>>>(old, N, 1);
    order(b, a);
    cudaFreeAsync(old, a);
    cudaMallocAsync(&fresh, BYTES, a);
    if (fresh != old) printf("not reused\n");
    order(a, b);
    fill<<<4, 256, 0, a>>>(fresh, N, 2);                         // A
#ifdef RIGHT
    order(a, b);
#endif
    add<<<4, 256, 0, b>>>(fresh, N);                             // B
    order(b, a);
    cudaFreeAsync(fresh, a);
    cudaStreamSynchronize(a);
    return finish();
}
