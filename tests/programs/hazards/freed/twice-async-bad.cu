// The second cudaFreeAsync comes while the first one is still in its stream.
int main()
{
    int *d;
    cudaMallocAsync(&d, 64, 0);
    cudaMemsetAsync(d, 0, 64, 0);
    cudaFreeAsync(d, 0);
    cudaFreeAsync(d, 0);
    cudaDeviceSynchronize();
    return 0;
}
// hazard: use-after-free 7 8
// err: cudaFreeAsync frees d[0..63] again
