// Destroyed.
int main()
{
    for (int i = 0; i < 3; i++) {
        cudaStream_t s;
        cudaStreamCreate(&s);
        cudaStreamDestroy(s);
    }
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaEventDestroy(e);
    return 0;
}
// check: memory
