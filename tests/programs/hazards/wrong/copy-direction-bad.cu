// The copy's direction and its pointers do not fit.
int main()
{
    int h[8] = {0}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(h, 0, sizeof h);
    cudaFree(d);
    return 0;
}
// hazard: wrong-memory 7
// hazard: wrong-memory 8
