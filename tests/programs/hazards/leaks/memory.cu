// Everything goes; cudaDeviceReset would do as well.
int main()
{
    static int r[16];
    int *d, *h, *m, *p;
    cudaMalloc(&d, 64);
    cudaMallocHost(&h, 64);
    cudaMallocManaged(&m, 64);
    cudaMallocAsync(&p, 64, 0);
    cudaHostRegister(r, sizeof r, 0);
    cudaFree(d);
    cudaFreeHost(h);
    cudaFree(m);
    cudaFreeAsync(p, 0);
    cudaHostUnregister(r);
    return 0;
}
// check: memory
