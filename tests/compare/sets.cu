// sets - memsets and copies inside the device beside kernels and copies of the host's memory.
#include "compare.h"

int main()
{
    const size_t bytes = 64 * MIB;
    char *host, *device;
    CHECK(cudaMallocHost(&host, bytes));
    CHECK(cudaMalloc(&device, 4 * bytes));
    cudaStream_t s[3];
    for (auto &stream : s) CHECK(cudaStreamCreate(&stream));
    measure([&] {
        for (int i = 0; i < 4; i++) {
            spin<<<16, 64, 0, s[0]>>>(200000);
            CHECK(cudaMemsetAsync(device, i, bytes, s[1]));
            CHECK(cudaMemcpyAsync(device + 2 * bytes, device + bytes, bytes, cudaMemcpyDeviceToDevice, s[1]));
            CHECK(cudaMemcpyAsync(device + 3 * bytes, host, 16 * MIB, cudaMemcpyHostToDevice, s[2]));
            CHECK(cudaMemsetAsync(device + 3 * bytes, 0, 16 * MIB, s[2]));
            spin<<<16, 64, 0, s[1]>>>(100000);
        }
    });
    return 0;
}
