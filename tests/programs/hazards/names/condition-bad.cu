// Which of the calls on a line allocated it is not certain: no name rather than a wrong one.
// err:   device memory: 4096 bytes of device memory, cudaMalloc at condition-bad.cu:11
// not: writes x[
// not: writes y[
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main(int argc, char **)
{
    cudaStream_t s, t;
    int *x = nullptr, *y = nullptr;
    cudaStreamCreate(&s), cudaStreamCreate(&t);
    if (argc > 5) { cudaMalloc(&x, 4096); } else { cudaMalloc(&y, 4096); }
    fill<<<1, 32, 0, s>>>(y);
#ifdef RIGHT
    cudaStreamSynchronize(s);
#endif
    fill<<<1, 32, 0, t>>>(y);
    cudaDeviceSynchronize();
    cudaFree(x), cudaFree(y);
    cudaStreamDestroy(s), cudaStreamDestroy(t);
    return 0;
}
// hazard: race 12 16
// right: -DRIGHT
