// CUDA 12's forms of the calls whose parameters CUDA 13 changed.
// run: THREELANE_MODEL=h200
// out: 0 0 0 0 0, 101 1, 5
#include <cstdio>

__global__ void add(int *p) { *p += 1; }

int main()
{
    int *m;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocManaged(&m, 4);
    *m = 4;
    int advised = cudaMemAdvise(m, 4, cudaMemAdviseSetPreferredLocation, 0);
    int by_host = cudaMemAdvise(m, 4, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId);
    int there = cudaMemPrefetchAsync(m, 4, 0, s);
    add<<<1, 1, 0, s>>>(m);
    int back = cudaMemPrefetchAsync(m, 4, cudaCpuDeviceId, s);
    int again = cudaMemPrefetchAsync(m, 4, 0);
    int nowhere = cudaMemPrefetchAsync(m, 4, 99, s), plain = cudaMemPrefetchAsync(&s, 4, 0, s);
    cudaDeviceSynchronize();
    printf("%d %d %d %d %d, %d %d, %d\n", advised, by_host, there, back, again, nowhere, plain, *m);
    return 0;
}
