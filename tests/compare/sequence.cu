// sequence KIB pinned|pageable - one step after another, the host waiting for each: what a course starts from.
#include "compare.h"

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    size_t bytes = (size_t)atoi(argv[1]) * KIB;
    bool is_pinned = !strcmp(argv[2], "pinned");
    char *host, *device;
    if (is_pinned) CHECK(cudaMallocHost(&host, bytes));
    else host = (char *)malloc(bytes);
    memset(host, 1, bytes);
    CHECK(cudaMalloc(&device, bytes));
    measure([&] {
        for (int i = 0; i < 6; i++) {
            CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
            spin<<<16, 64>>>(50000);
            CHECK(cudaDeviceSynchronize());
            launch_scale(device, bytes, 0);
            CHECK(cudaStreamSynchronize(0));
            CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
        }
    });
    return 0;
}
