// Two contexts of a device at a time are not simulated: the second one is refused, with the line of the first.
// flags: -lcuda
// status: 96
// err: two_contexts.cu:13: cudaMalloc takes the primary context of device 0 beside the one that was made at tests/programs/driver/two_contexts.cu:11
#include <cuda.h>
#include <cstdio>
#include <thread>
int main()
{
    CUcontext own;
    if (cuInit(0) || cuCtxCreate(&own, 0, 0)) return 1;
    void *p;
    std::thread([&p] { cudaMalloc(&p, 4); }).join();
    return 0;
}
