// Two buffers are allocated on one line: the report names the one that is meant.
// err:   y: 4096 bytes of device memory, cudaMalloc at line-bad.cu:15
// err: inc in stream 2 reads and writes y[0..
// err:   h2: 256 bytes of pinned memory, cudaMallocHost at line-bad.cu:16
// not: writes x[
// not: memory[
#include <cstring>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
__global__ void inc(int *p) { p[threadIdx.x]++; }
int main()
{
    cudaStream_t s, t;
    int *x, *y, *h1, *h2;
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    cudaMalloc(&x, 4096); cudaMalloc((void **)&y, 4096);     // cudaMalloc(&z, 4096);
    cudaMallocHost(&h1, 256), cudaMallocHost(&h2, 256);
    fill<<<1, 32, 0, s>>>(y);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    inc<<<1, 32, 0, t>>>(y);
#ifdef RIGHT
    cudaStreamSynchronize(t);
#else
    cudaDeviceSynchronize();
#endif
    cudaMemcpyAsync(h2, y, 128, cudaMemcpyDeviceToHost, s);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    int first = h2[0];
    cudaFree(x); cudaFree(y); cudaFreeHost(h1); cudaFreeHost(h2);
    cudaStreamDestroy(s); cudaStreamDestroy(t);
    return first == 77;
}
// hazard: race 17 21
// hazard: host-race 27 31
// right: -DRIGHT
