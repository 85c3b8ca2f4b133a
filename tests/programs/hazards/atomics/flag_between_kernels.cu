// A kernel waits for another's flag, which was raised after a fence: that orders them. Without the fence it does not.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
__global__ void put(int *data, volatile int *flag)
{
    data[threadIdx.x] = 5;
#ifdef RIGHT
    __threadfence();
#endif
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
}
__global__ void get(const int *data, volatile int *flag, int *to)
{
    while (*flag == 0) { }
    __threadfence();
    to[threadIdx.x] = data[threadIdx.x];
}
int main()
{
    int *data; cudaMalloc(&data, BYTES); keep(data);
    int *flag; cudaMalloc(&flag, 4); keep(flag, 4);
    int *x; cudaMalloc(&x, BYTES); keep(x);
    cudaStream_t a = stream(), b = stream();
    put<<<1, 64, 0, a>>>(data, flag);                            // A
    get<<<1, 64, 0, b>>>(data, flag, x);                         // B
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    return finish();
}
