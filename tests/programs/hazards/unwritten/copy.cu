// The half that is set.
int main()
{
    int h[64], *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h / 2);
    cudaMemcpy(h, d, sizeof h / 2, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return 0;
}
// check: all
