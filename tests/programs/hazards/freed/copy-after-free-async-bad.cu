// The copy is issued while the memory is still there, and runs when it is gone.
int main()
{
    int h[4], *d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocAsync(&d, sizeof h, s);
    cudaMemsetAsync(d, 0, sizeof h, s);
    cudaFreeAsync(d, s);
    cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    return 0;
}
// hazard: use-after-free 9 10
