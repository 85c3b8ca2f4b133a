// The block that is done last adds up what the others have left, which it may see late without a fence.
// hazard: global-race A B
// err: a flag or counter tells the one of the other, but no fence comes before it
// err: put __threadfence() between the write and the operation on the flag
// right: -DRIGHT
#include "../hazards.h"
__device__ unsigned done;
__global__ void sum(const int *in, int *parts, int *out)
{
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int k = 32; k; k /= 2) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) {
        parts[blockIdx.x] = s[0];                                // A
#ifdef RIGHT
        __threadfence();
#endif
        last = atomicInc(&done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    if (t < gridDim.x) atomicAdd(out, parts[t]);                 // B
    if (t == 0) done = 0;
}
int main()
{
    int *a; cudaMalloc(&a, BYTES); keep(a);
    int *parts; cudaMalloc(&parts, BYTES); keep(parts);
    int *out; cudaMalloc(&out, BYTES); keep(out);
    cudaMemset(a, 0, BYTES);
    cudaMemset(out, 0, sizeof *out);
    sum<<<16, 64>>>(a, parts, out);
    cudaDeviceSynchronize();
    return finish();
}
