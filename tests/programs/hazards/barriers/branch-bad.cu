// Half of the block waits in one branch, half in the other.
__global__ void split(int *a)
{
    if (threadIdx.x < 32) {
        a[threadIdx.x] = 1;
        __syncthreads();
    } else {
        a[threadIdx.x] = 2;
        __syncthreads();
    }
}

int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof *d);
    split<<<1, 64>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// hazard: barrier 6 9
