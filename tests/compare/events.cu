// events ROUNDS - one stream forks into three and they join again, with copies and kernels between.
#include "compare.h"

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 4;
    const size_t bytes = 4 * MIB;
    char *host, *device;
    CHECK(cudaMallocHost(&host, 4 * bytes));
    CHECK(cudaMalloc(&device, 4 * bytes));
    cudaStream_t s[4];
    cudaEvent_t ready, done[4];
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    for (int i = 0; i < 4; i++) {
        CHECK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
    }
    measure([&] {
        for (int round = 0; round < rounds; round++) {
            CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, s[0]));
            spin<<<4, 64, 0, s[0]>>>(60000);
            CHECK(cudaEventRecord(ready, s[0]));
            for (int i = 1; i < 4; i++) {
                CHECK(cudaStreamWaitEvent(s[i], ready, 0));
                spin<<<4, 64, 0, s[i]>>>(40000 * i);
                CHECK(cudaMemcpyAsync(host + i * bytes, device + i * bytes, bytes, cudaMemcpyDeviceToHost, s[i]));
                CHECK(cudaEventRecord(done[i], s[i]));
                CHECK(cudaStreamWaitEvent(s[0], done[i], 0));
            }
            spin<<<4, 64, 0, s[0]>>>(50000);
        }
    });
    return 0;
}
