// status: 97
// err: call_in_kernel.cu:6: cudaMallocHost is called in the kernel k: it is for host code
__global__ void k(int n)
{
    void *p;
    if (n) cudaMallocHost(&p, 4);
}
int main()
{
    k<<<1, 1>>>(1);
    cudaDeviceSynchronize();
    return 0;
}
