// A stream for each round, and an event, and none is destroyed.
int main()
{
    for (int i = 0; i < 3; i++) {
        cudaStream_t s;
        cudaStreamCreate(&s);
    }
    cudaEvent_t e;
    cudaEventCreate(&e);
    return 0;
}
// check: memory
// hazard: leak 6
// hazard: leak 9
// err: stream 1 is never destroyed (3 times)
