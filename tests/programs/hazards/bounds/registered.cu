// All of it is registered.
int main()
{
    static char h[8192];
    char *d;
    cudaMalloc(&d, 8192);
    cudaHostRegister(h, 8192, 0);
    cudaMemcpyAsync(d, h, 8192, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaHostUnregister(h);
    cudaFree(d);
    return 0;
}
// check: all
