// Chars, shorts and doubles in dynamic shared memory, each thread its own.
__global__ void pack(double *out)
{
    extern __shared__ double all[];
    char *text = (char *)(all + 64);
    short *more = (short *)(text + 64);
    all[threadIdx.x] = 1;
    text[threadIdx.x] = 'a';
    more[threadIdx.x] = 2;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = all[63 - threadIdx.x] + text[63 - threadIdx.x] + more[63 - threadIdx.x];
}

int main()
{
    double *d;
    cudaMalloc(&d, 3 * 64 * sizeof *d);
    pack<<<3, 64, 64 * (8 + 1 + 2)>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// check: memory
