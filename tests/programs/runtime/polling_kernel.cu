// A kernel that polls a flag: set by a copy in another stream, then by the host through mapped memory.
// out: 5 6
#include <cstdio>
__global__ void wait_for(volatile int *flag, int *out)
{
    while (!*flag) {
    }
    *out = *flag;
}
int main()
{
    int *flag, *mapped, *out, *value;
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&flag, sizeof *flag);
    cudaMallocHost(&mapped, sizeof *mapped);
    cudaMallocHost(&out, 2 * sizeof *out);
    cudaMallocHost(&value, sizeof *value);
    *mapped = 0;
    *value = 5;
    cudaMemset(flag, 0, sizeof *flag);
    cudaDeviceSynchronize();
    wait_for<<<1, 1, 0, s>>>(flag, out);
    cudaMemcpyAsync(flag, value, sizeof *flag, cudaMemcpyHostToDevice, t);
    cudaStreamSynchronize(s);
    wait_for<<<1, 1, 0, s>>>(mapped, out + 1);
    if (cudaStreamQuery(s) != cudaErrorNotReady) return 1;
    *(volatile int *)mapped = 6;
    cudaStreamSynchronize(s);
    printf("%d %d\n", out[0], out[1]);
    return 0;
}
