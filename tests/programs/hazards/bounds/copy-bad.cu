// The copy's target is smaller than its source: CUDA refuses it, and nobody looks.
int main()
{
    int h[100] = {0}, *d;
    cudaMalloc(&d, 99 * sizeof *d);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(d);
    return 0;
}
// hazard: out-of-bounds 6
// err: cudaMemcpy writes d[396..399]
// err: fix: ask for what lies in the block (
