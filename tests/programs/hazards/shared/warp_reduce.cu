// The last steps of a sum without barriers, as old books have them: lanes need not run in step. What they compute where
// lanes do is computed here, too.
// out: 2016
// hazard: shared-race 13 13
// hazard: shared-race 13 14
// hazard: shared-race 14 14
// err: lanes of a warp need not run in step
// right: -DRIGHT
#include <cstdio>
#ifndef RIGHT
__device__ void last_steps(volatile int *s, int t)
{
    s[t] += s[t + 32], s[t] += s[t + 16], s[t] += s[t + 8];
    s[t] += s[t + 4], s[t] += s[t + 2], s[t] += s[t + 1];
}
#else
__device__ void last_steps(volatile int *s, int t)
{
    for (int k = 32; k; k /= 2) {
        int other = s[t + k];
        __syncwarp();
        s[t] += other;
        __syncwarp();
    }
}
#endif
__global__ void sum(const int *in, int *out)
{
    __shared__ int s[96];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t < 32) s[64 + t] = 0;
    __syncthreads();
    if (t < 32) last_steps(s, t);
    if (t == 0) *out = s[0];
}
int main()
{
    int host[64], result, *d;
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaMalloc(&d, 65 * sizeof *d);
    cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(d, d + 64);
    cudaMemcpy(&result, d + 64, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(d);
    return 0;
}
