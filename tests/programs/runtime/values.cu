// API functions as values: deleters, pointers; and calls qualified with ::.
// out: 0 0 1
#include <cstdio>
#include <memory>
int main()
{
    float *d, *h;
    cudaStream_t s;
    ::cudaMalloc(&d, 64);
    cudaMallocHost(&h, 64);
    cudaStreamCreate(&s);
    {
        std::unique_ptr<float, decltype(&cudaFree)> device(d, cudaFree);
        std::unique_ptr<float, decltype(&cudaFreeHost)> pinned(h, &cudaFreeHost);
        std::unique_ptr<CUstream_st, decltype(&cudaStreamDestroy)> stream(s, cudaStreamDestroy);
    }
    cudaError_t (*release)(void *) = cudaFree;
    printf("%d %d %d\n", release(NULL), ::cudaFree(nullptr), release(d));
    return 0;
}
// hazard: use-after-free 0
