// pipeline BATCHES KIB STREAMS depth|breadth clock|memory - copy in, compute, copy out, in several streams.
#include "compare.h"

int main(int argc, char **argv)
{
    if (argc < 6) return 2;
    int batches = atoi(argv[1]), streams = atoi(argv[3]);
    size_t bytes = (size_t)atoi(argv[2]) * KIB;
    bool breadth = !strcmp(argv[4], "breadth"), clock = !strcmp(argv[5], "clock");
    long long kernel_ns = (long long)(bytes / 40);     // a little longer than a copy
    char *host, *device;
    CHECK(cudaMallocHost(&host, bytes * streams));
    CHECK(cudaMalloc(&device, bytes * streams));
    cudaStream_t s[16];
    for (int i = 0; i < streams; i++) CHECK(cudaStreamCreate(&s[i]));
    auto in = [&](int k) { CHECK(cudaMemcpyAsync(device + k * bytes, host + k * bytes, bytes, cudaMemcpyHostToDevice, s[k])); };
    auto out = [&](int k) { CHECK(cudaMemcpyAsync(host + k * bytes, device + k * bytes, bytes, cudaMemcpyDeviceToHost, s[k])); };
    auto compute = [&](int k) {
        if (clock) spin<<<64, 128, 0, s[k]>>>(kernel_ns);
        else launch_scale(device + k * bytes, bytes, s[k]);
    };
    measure([&] {
        for (int i = 0; i < batches; i += breadth ? streams : 1) {
            int most = breadth ? streams : 1;
            for (int k = 0; k < most && i + k < batches; k++) in((i + k) % streams);
            for (int k = 0; k < most && i + k < batches; k++) compute((i + k) % streams);
            for (int k = 0; k < most && i + k < batches; k++) out((i + k) % streams);
        }
    });
    return 0;
}
