// Memory from cudaMallocAsync, used in another stream that does not come after the allocation.
// hazard: use-before-alloc A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d;
    cudaStream_t a = stream(), b = stream();
    cudaMallocAsync(&d, BYTES, a);                               // A
#ifdef RIGHT
    order(a, b);
#endif
    fill<<<4, 256, 0, b>>>(d, N, 1);                             // B
    order(b, a);
    cudaFreeAsync(d, a);
    cudaStreamSynchronize(a);
    return finish();
}
