// Work for a stream that was destroyed: both lines are named.
// status: 97
// err: destroyed_stream.cu:13: cudaMemsetAsync: the stream was destroyed at
// err: destroyed_stream.cu:12
#include <cstdio>
int main()
{
    char *d;
    cudaStream_t s;
    cudaMalloc(&d, 16);
    cudaStreamCreate(&s);
    cudaStreamDestroy(s);
    cudaMemsetAsync(d, 0, 16, s);
    return 0;
}
