// A thread reads word after word of what no thread has written so far; then another one writes there. And all read the
// same again and again, until a thread writes there and another one reads it once more, in the same line.
// hazard: global-race A B
// hazard: global-race C D
// right: -DRIGHT
#include "../hazards.h"
__global__ void in_a_row(int *p, int *sum)
{
    int s = 0;
    if (threadIdx.x == 0) for (int i = 0; i < N / 2; i++) s += p[i];                    // A
#ifdef RIGHT
    __syncthreads();
#endif
    if (threadIdx.x == 1) p[N / 2 - 1] = 1;                                             // B
    sum[threadIdx.x] = s;
}
__global__ void again_and_again(int *p, int *sum)
{
    int s = 0, rounds = threadIdx.x < 8 ? 64 : 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < rounds * N; k++) s += p[k % N];                             // C
        if (pass) break;
        __syncthreads();
        if (threadIdx.x == 9) p[7] = 1;                                                 // D
#ifdef RIGHT
        __syncthreads();
#endif
        rounds = threadIdx.x == 11;
    }
    sum[threadIdx.x] = s;
}
int main()
{
    int *p, *q, *sum;
    cudaMalloc(&p, BYTES); keep(p);
    cudaMalloc(&q, BYTES); keep(q);
    cudaMalloc(&sum, BYTES); keep(sum);
    in_a_row<<<1, 2>>>(p, sum);
    again_and_again<<<1, 12>>>(q, sum);
    cudaDeviceSynchronize();
    return finish();
}
