// cudaFreeAsync in one stream, while another still works with the memory.
// hazard: use-after-free A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d;
    cudaStream_t a = stream(), b = stream();
    cudaMallocAsync(&d, BYTES, a);
    order(a, b);
    fill<<<4, 256, 0, b>>>(d, N, 1);                             // A
#ifdef RIGHT
    order(b, a);
#endif
    cudaFreeAsync(d, a);                                         // B
    cudaStreamSynchronize(a);
    return finish();
}
