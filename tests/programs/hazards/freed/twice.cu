// Freed once; NULL may be freed at any time.
int main()
{
    int *d, *h;
    cudaMalloc(&d, 64);
    cudaMallocHost(&h, 64);
    cudaFree(d);
    d = nullptr;
    cudaFree(d);
    cudaFreeHost(h);
    h = nullptr;
    cudaFreeHost(h);
    return 0;
}
// check: all
