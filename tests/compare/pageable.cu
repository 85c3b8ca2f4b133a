// pageable KIB - copies from and to pageable memory in one stream, copies of pinned memory and kernels in another.
#include "compare.h"

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    size_t bytes = (size_t)atoi(argv[1]) * KIB;
    char *pinned, *device, *pageable = (char *)malloc(bytes);
    CHECK(cudaMallocHost(&pinned, 2 * bytes));
    CHECK(cudaMalloc(&device, 3 * bytes));
    memset(pageable, 1, bytes);
    cudaStream_t s, t;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaStreamCreate(&t));
    measure([&] {
        for (int i = 0; i < 3; i++) {
            spin<<<8, 32, 0, t>>>(300000);
            CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, t));
            CHECK(cudaMemcpyAsync(device + bytes, pageable, bytes, cudaMemcpyHostToDevice, s));
            spin<<<8, 32, 0, s>>>(200000);
            CHECK(cudaMemcpyAsync(pinned + bytes, device, bytes, cudaMemcpyDeviceToHost, t));
            CHECK(cudaMemcpyAsync(pageable, device + bytes, bytes, cudaMemcpyDeviceToHost, s));
        }
    });
    return 0;
}
