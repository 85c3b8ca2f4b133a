// barriers - work in the default stream holds back every blocking stream, and no other.
#include "compare.h"

int main()
{
    const size_t bytes = 4 * MIB;
    char *host, *device;
    CHECK(cudaMallocHost(&host, 3 * bytes));
    CHECK(cudaMalloc(&device, 3 * bytes));
    cudaStream_t s[2], apart;
    for (auto &stream : s) CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    measure([&] {
        for (int i = 0; i < 4; i++) {
            spin<<<4, 64, 0, s[0]>>>(150000);
            CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, s[1]));
            spin<<<4, 64, 0, apart>>>(250000);
            spin<<<4, 64>>>(100000);
            CHECK(cudaMemcpyAsync(host + bytes, device + bytes, bytes, cudaMemcpyDeviceToHost, s[0]));
            spin<<<4, 64, 0, s[1]>>>(80000);
            CHECK(cudaMemcpyAsync(device + 2 * bytes, host + 2 * bytes, bytes, cudaMemcpyHostToDevice, 0));
        }
    });
    return 0;
}
