// Threads change a counter without an atomic operation, and one of them then reads past the end: both are reported.
// hazard: global-race A A
// hazard: out-of-bounds B
// right: -DRIGHT
#include "../hazards.h"
__global__ void count(const int *in, int *counter, int n)
{
    int i = threadIdx.x;
#ifdef RIGHT
    if (in[i] == 0) atomicAdd(counter, 1);
    if (i < n) atomicAdd(counter, in[i]);
#else
    if (in[i] == 0) *counter += 1;                               // A
    __syncthreads();
    if (i == 40) atomicAdd(counter, in[n + i]);                  // B
#endif
}
int main()
{
    int *d, *counter; cudaMalloc(&d, BYTES); keep(d);
    cudaMalloc(&counter, sizeof(int)); keep(counter, sizeof(int));
    count<<<1, 64>>>(d, counter, N);
    if (cudaDeviceSynchronize() != cudaSuccess) return 0;
    return finish();
}
