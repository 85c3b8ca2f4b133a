// Allocated, used and freed in turn, in one stream: the same memory again and again, and no order is missing. With two
// streams, the second block may be the first one's memory: that is the pool's business. The data is not.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *sum; cudaMalloc(&sum, BYTES); keep(sum);
    cudaStream_t a = stream(), b = stream();
    for (int i = 0; i < 4; i++) {
        int *d;
        cudaMallocAsync(&d, BYTES, a);
        fill<<<4, 256, 0, a>>>(d, N, i);
        move<<<4, 256, 0, a>>>(sum, d, N);                       // A
        cudaFreeAsync(d, a);
    }
#ifdef RIGHT
    order(a, b);
#endif
    int *d;
    cudaMallocAsync(&d, BYTES, b);
    move<<<4, 256, 0, b>>>(d, sum, N);                           // B
    cudaFreeAsync(d, b);
    cudaStreamSynchronize(b);
    return finish();
}
