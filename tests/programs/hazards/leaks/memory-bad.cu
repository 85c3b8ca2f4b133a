// Memory of every kind is still there at the end.
int main()
{
    static int r[16];
    int *d, *h, *m, *p;
    cudaMalloc(&d, 64);
    cudaMallocHost(&h, 64);
    cudaMallocManaged(&m, 64);
    cudaMallocAsync(&p, 64, 0);
    cudaHostRegister(r, sizeof r, 0);
    cudaDeviceSynchronize();
    return 0;
}
// check: memory
// hazard: leak 6
// hazard: leak 7
// hazard: leak 8
// hazard: leak 9
// hazard: leak 10
// err: leak: d[0..63] is never freed
// err: leak: r[0..63] is never unregistered
// err: fix: call cudaFreeHost when it is not needed any more
