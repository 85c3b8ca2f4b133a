// A copy from memory that is gone.
int main()
{
    int h[8], *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    cudaFree(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    return 0;
}
// hazard: use-after-free 7 8
