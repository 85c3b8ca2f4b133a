// What one line reads word after word is noted all at once, later: exactly these words, no more and no fewer.
// hazard: race A B
// right: -DRIGHT
// err: writes d[3960..3963], K0
#include "../hazards.h"
__global__ void walk(const int *from, int *sum, int first, int last)
{
    int s = 0;
    for (int i = first; i <= last; i++) s += from[i];
    sum[0] = s;
}
int main()
{
    int *d, *sum, *h;
    cudaMalloc(&d, BYTES); keep(d);
    cudaMalloc(&sum, BYTES); keep(sum);
    cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t a = stream(), b = stream();
    walk<<<1, 1, 0, a>>>(d, sum, 3, 990);                                               // A
#ifndef RIGHT
    cudaMemcpyAsync(d + 990, h, 33 * sizeof *h, cudaMemcpyHostToDevice, b);             // B
#endif
    cudaMemcpyAsync(d, h, 3 * sizeof *h, cudaMemcpyHostToDevice, b);
    cudaMemcpyAsync(d + 991, h, 33 * sizeof *h, cudaMemcpyHostToDevice, b);
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    return finish();
}
