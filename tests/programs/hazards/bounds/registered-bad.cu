// A copy leaves the registered part of an array.
int main()
{
    static char h[8192];
    char *d;
    cudaMalloc(&d, 8192);
    cudaHostRegister(h, 4096, 0);
    cudaMemcpyAsync(d, h, 8192, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaHostUnregister(h);
    cudaFree(d);
    return 0;
}
// hazard: out-of-bounds 8
// err: reads h[4096..8191]
