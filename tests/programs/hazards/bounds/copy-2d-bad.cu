// The last row of a pitched copy leaves the block: one row too many.
int main()
{
    char h[4 * 100] = {0}, *d;
    size_t pitch;
    cudaMallocPitch((void **)&d, &pitch, 100, 3);
    cudaMemcpy2D(d, pitch, h, 100, 100, 4, cudaMemcpyHostToDevice);
    cudaFree(d);
    return 0;
}
// hazard: out-of-bounds 7
// err: writes d[1536..1635]
