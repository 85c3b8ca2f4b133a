// status: 97
// err: host_writes_freed.cu:8: host code writes freed memory (4096 bytes from cudaMalloc at
// err: host_writes_freed.cu:6, freed at
int main()
{
    volatile float *d; cudaMalloc((void **)&d, 4096);
    cudaFree((void *)d);
    d[3] = 1;
    return 0;
}
// hazard: use-after-free 7 8
