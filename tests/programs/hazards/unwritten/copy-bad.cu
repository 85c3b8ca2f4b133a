// A copy to the host of what no kernel has written.
int main()
{
    int h[64], *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h / 2);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return 0;
}
// hazard: uninitialised 7
// err: reads d[128..255]
