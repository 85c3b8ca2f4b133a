// cudaDeviceReset takes everything back.
int main()
{
    int *d;
    cudaStream_t s;
    cudaEvent_t e;
    cudaMalloc(&d, 64);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    cudaDeviceReset();
    return 0;
}
// check: memory
