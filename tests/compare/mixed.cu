// mixed ROUNDS KIB - a bit of everything that the other programs try one by one: a pipeline in two streams, memsets and
// copies inside the device beside it, pageable memory, the default stream's barrier, an event that joins all.
#include "compare.h"

static void CUDART_CB no_work(void *) {}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    int rounds = atoi(argv[1]);
    size_t bytes = (size_t)atoi(argv[2]) * KIB;
    char *pinned, *device, *pageable = (char *)malloc(bytes / 2);
    CHECK(cudaMallocHost(&pinned, 3 * bytes));
    CHECK(cudaMalloc(&device, 5 * bytes));
    memset(pageable, 1, bytes / 2);
    cudaStream_t s[2], beside;
    cudaEvent_t done[2];
    for (auto &stream : s) CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    for (auto &event : done) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    measure([&] {
        for (int i = 0; i < rounds; i++) {
            for (int k = 0; k < 2; k++) {
                CHECK(cudaMemcpyAsync(device + k * bytes, pinned + k * bytes, bytes, cudaMemcpyHostToDevice, s[k]));
                if (k) launch_scale(device + k * bytes, bytes, s[k]);
                else spin<<<32, 128, 0, s[k]>>>(120000);
                CHECK(cudaMemcpyAsync(pinned + k * bytes, device + k * bytes, bytes, cudaMemcpyDeviceToHost, s[k]));
                CHECK(cudaEventRecord(done[k], s[k]));
            }
            CHECK(cudaMemsetAsync(device + 2 * bytes, i, bytes, beside));
            CHECK(cudaMemcpyAsync(device + 3 * bytes, device + 2 * bytes, bytes, cudaMemcpyDeviceToDevice, beside));
            spin<<<8, 64, 0, beside>>>(90000);
            CHECK(cudaMemcpyAsync(device + 4 * bytes, pageable, bytes / 2, cudaMemcpyHostToDevice, beside));
            for (auto &event : done) CHECK(cudaStreamWaitEvent(beside, event, 0));
            CHECK(cudaMemcpyAsync(pinned + 2 * bytes, device + 4 * bytes, bytes / 2, cudaMemcpyDeviceToHost, beside));
            spin<<<4, 64>>>(40000);
            CHECK(cudaLaunchHostFunc(s[0], no_work, NULL));
        }
    });
    return 0;
}
