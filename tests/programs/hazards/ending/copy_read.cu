// A copy back to the host is read and never awaited: found at an error return, too.
// status: 1
// right: -DRIGHT
// hazard: host-race C R
#include <cstdio>
#include <cstdlib>

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

int main()
{
    int *d = nullptr, *h = nullptr;
    cudaStream_t s;
    cudaMalloc(&d, 128);
    cudaMallocHost(&h, 128);
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaStreamCreate(&s);
    cudaMemcpyAsync(d, h, 128, cudaMemcpyHostToDevice, s);
    twice<<<1, 32, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s);    // C
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    if (h[5] != 10) exit(1);          // R
    cudaStreamDestroy(s);
    cudaFreeHost(h);
    cudaFree(d);
    return 0;
}
