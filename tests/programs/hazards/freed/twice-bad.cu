// Freed twice.
int main()
{
    int *d, *h;
    cudaMalloc(&d, 64);
    cudaMallocHost(&h, 64);
    cudaFree(d);
    cudaFree(d);
    cudaFreeHost(h);
    cudaFreeHost(h);
    return 0;
}
// hazard: use-after-free 7 8
// hazard: use-after-free 9 10
