// Neighbouring bytes are different memory; the same byte is not.
__global__ void pack(char *out)
{
    __shared__ char text[64];
    text[threadIdx.x] = 'a';
    if (threadIdx.x == 40)
        text[39] = 'b';
    __syncthreads();
    out[threadIdx.x] = text[threadIdx.x];
}

int main()
{
    char *d;
    cudaMalloc(&d, 64);
    pack<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// hazard: shared-race 5 7
// err: text[39..39] is used by two threads
