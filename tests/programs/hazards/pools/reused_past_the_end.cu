// A smaller block in the memory of a larger one ends where it ends.
// hazard: out-of-bounds A
// err: fresh[2048..
// not: not reused
// right: -DRIGHT
#include "../hazards.h"
#ifdef RIGHT
enum { MANY = N / 2 };
#else
enum { MANY = N };
#endif
__global__ void put(int *p, int n)
{
    int i = threadIdx.x;
    if (i < n) p[i] = i;                                         // A
}
int main()
{
    int *old, *fresh;
    cudaStream_t a = stream();
    cudaMallocAsync(&old, BYTES, a);
    put<<<1, N, 0, a>>>(old, N / 2);
    cudaFreeAsync(old, a);
    cudaMallocAsync(&fresh, BYTES / 2, a);
    if (fresh != old) printf("not reused\n");
    put<<<1, N, 0, a>>>(fresh, MANY);
    cudaFreeAsync(fresh, a);
    cudaStreamSynchronize(a);
    return finish();
}
