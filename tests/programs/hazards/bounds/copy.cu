// As many bytes as there are.
int main()
{
    int h[100] = {0}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
