// One kernel tells another one by a flag that its data is there: without a fence the flag may be seen first.
// hazard: race A B
// err: raises a flag that
// err: put __threadfence() in the kernel of
// right: -DRIGHT
#include "../hazards.h"
__global__ void produce(int *p, volatile int *flag)
{
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x) return;
#ifdef RIGHT
    __threadfence();
#endif
    *flag = 1;
}
__global__ void consume(const int *p, int *out, volatile int *flag)
{
    if (threadIdx.x == 0) while (*flag == 0) {}
    __syncthreads();
    out[threadIdx.x] = p[threadIdx.x];
}
int main()
{
    int *p; cudaMalloc(&p, BYTES); keep(p);
    int *out; cudaMalloc(&out, BYTES); keep(out);
    int *flag; cudaMalloc(&flag, BYTES); keep(flag);
    cudaMemset(flag, 0, BYTES);
    cudaDeviceSynchronize();
    cudaStream_t a = stream(), b = stream();
    produce<<<1, 64, 0, a>>>(p, flag);                           // A
    consume<<<1, 64, 0, b>>>(p, out, flag);                      // B
    cudaDeviceSynchronize();
    return finish();
}
