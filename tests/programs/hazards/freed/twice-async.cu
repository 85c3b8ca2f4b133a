// One is enough.
int main()
{
    int *d;
    cudaMallocAsync(&d, 64, 0);
    cudaFreeAsync(d, 0);
    cudaDeviceSynchronize();
    return 0;
}
// check: all
