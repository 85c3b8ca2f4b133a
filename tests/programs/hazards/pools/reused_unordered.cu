// What a pool makes a stream wait for, when it hands on memory, is its own business: the data of two streams is not ordered
// by it.
// hazard: race A B
// run: THREELANE_MODEL=h200
// not: not reused
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *sum, *old, *fresh;
    size_t free_bytes, total;
    cudaMalloc(&sum, BYTES);
    keep(sum);
    cudaStream_t a = stream(), b = stream();
    cudaMemGetInfo(&free_bytes, &total);
    size_t all = free_bytes / (64 << 20) * (64 << 20);
    cudaMallocAsync(&old, all, a);
    fill<<<4, 256, 0, a>>>(old, N, 1);
    move<<<4, 256, 0, a>>>(sum, old, N);                         // A
    cudaFreeAsync(old, a);
#ifdef RIGHT
    order(a, b);
#endif
    cudaMallocAsync(&fresh, all, b);
    if (fresh != old) printf("not reused\n");
    move<<<4, 256, 0, b>>>(fresh, sum, N);                       // B
    cudaFreeAsync(fresh, b);
    cudaStreamSynchronize(b);
    return finish();
}
