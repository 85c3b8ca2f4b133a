// volatile is no barrier.
// hazard: shared-race 8 12
// right: -DRIGHT
__global__ void reverse(int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
#ifdef RIGHT
    __syncthreads();
#endif
    out[t] = s[63 - t];
}
int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    reverse<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
