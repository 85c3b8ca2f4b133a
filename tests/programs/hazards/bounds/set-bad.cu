// cudaMemset is given the number of elements times two.
int main()
{
    short *d;
    cudaMalloc(&d, 128 * sizeof *d);
    cudaMemset(d, 0, 128 * sizeof *d + 1);
    cudaFree(d);
    return 0;
}
// hazard: out-of-bounds 6
// err: cudaMemset writes d[256..256]
