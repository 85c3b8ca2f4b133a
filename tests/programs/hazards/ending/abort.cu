// A program that ends badly keeps the reports made so far, gets those of what was in flight, and says last why it ended.
// status: 134
// hazard: uninitialised U
// hazard: host-race C R
// err: abort.cu:24: aborted in main()
#include <cstdio>
#include <cstdlib>

__global__ void copy(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }  // U

int main()
{
    int *d = nullptr, *h = nullptr;
    cudaStream_t s;
    cudaMalloc(&d, 256);
    cudaMallocHost(&h, 128);
    cudaStreamCreate(&s);
    h[3] = 0;
    copy<<<1, 32, 0, s>>>(d + 32, d);
    cudaStreamSynchronize(s);
    cudaMemsetAsync(d, 1, 128, s);
    cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s);    // C
    if (h[3] == 0) {                  // R
        abort();
    }
    return 0;
}
