// The block's own size.
int main()
{
    short *d;
    cudaMalloc(&d, 128 * sizeof *d);
    cudaMemset(d, 0, 128 * sizeof *d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: all
