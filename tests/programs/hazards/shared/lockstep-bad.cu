// The last steps of a sum within one warp rely on its lanes running in step.
__global__ void sum(int *out)
{
    __shared__ int part[32];
    part[threadIdx.x] = 1;
    __syncwarp();
    for (int k = 16; k; k /= 2)
        if (threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
    if (threadIdx.x == 0) *out = part[0];
}

int main()
{
    int *d;
    cudaMalloc(&d, sizeof *d);
    sum<<<1, 32>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
// hazard: shared-race 9 9
// err: lanes of a warp need not run in step
