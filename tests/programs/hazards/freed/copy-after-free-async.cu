// The copy first.
int main()
{
    int h[4], *d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocAsync(&d, sizeof h, s);
    cudaMemsetAsync(d, 0, sizeof h, s);
    cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s);
    cudaFreeAsync(d, s);
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    return 0;
}
