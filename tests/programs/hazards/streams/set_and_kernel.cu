// A set in one stream, a kernel that counts on the zeros in another.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaMemsetAsync(d, 0, BYTES, a);                             // A
#ifdef RIGHT
    order(a, b);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    cudaStreamSynchronize(b);
    return finish();
}
