// A stencil reads the element before the first.
__global__ void difference(const int *in, int *out)
{
    int i = threadIdx.x;
    out[i] = in[i] - in[i - 1];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    difference<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
// hazard: out-of-bounds 5
// err: reads in[-4..-1]
// err: fix: look for an index below 0
