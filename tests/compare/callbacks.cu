// callbacks - host functions and callbacks between kernels and copies, in two streams.
#include "compare.h"
#include <unistd.h>

static void CUDART_CB work(void *) { usleep(1000); }
static void CUDART_CB told(cudaStream_t, cudaError_t, void *) { usleep(500); }

int main()
{
    const size_t bytes = 8 * MIB;
    char *host, *device;
    CHECK(cudaMallocHost(&host, 2 * bytes));
    CHECK(cudaMalloc(&device, 2 * bytes));
    cudaStream_t s[2];
    for (auto &stream : s) CHECK(cudaStreamCreate(&stream));
    measure([&] {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++) {
                CHECK(cudaMemcpyAsync(device + k * bytes, host + k * bytes, bytes, cudaMemcpyHostToDevice, s[k]));
                spin<<<16, 64, 0, s[k]>>>(400000);
                if (k) CHECK(cudaStreamAddCallback(s[k], told, NULL, 0));
                else CHECK(cudaLaunchHostFunc(s[k], work, NULL));
                CHECK(cudaMemcpyAsync(host + k * bytes, device + k * bytes, bytes, cudaMemcpyDeviceToHost, s[k]));
            }
    });
    return 0;
}
