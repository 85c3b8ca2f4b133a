// streams - 200 kernels of one block in 200 streams: more than may run at once.
#include "compare.h"

int main()
{
    enum { STREAMS = 200 };
    cudaStream_t s[STREAMS];
    for (auto &stream : s) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int i = 0; i < 3; i++) spin<<<1, 32, 0, s[i]>>>(10000);
    CHECK(cudaDeviceSynchronize());
    nvtxRangePushA("measured");
    for (auto &stream : s) spin<<<1, 32, 0, stream>>>(4000000);
    CHECK(cudaDeviceSynchronize());
    nvtxRangePop();
    return 0;
}
