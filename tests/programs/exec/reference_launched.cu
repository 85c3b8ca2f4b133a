// cudaLaunchKernel of a kernel whose parameter is a reference: refused by name, not a write that is lost.
// status: 96
// err: reference_launched.cu:10: cudaLaunchKernel of k, which has a parameter that is a reference, is not simulated
__global__ void k(int &x) { x = 4; }
int main()
{
    int *m;
    cudaMallocManaged(&m, sizeof *m);
    void *args[] = {&m};
    cudaLaunchKernel((const void *)k, dim3(1), dim3(1), args, 0, 0);
    cudaDeviceSynchronize();
}
