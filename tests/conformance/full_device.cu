// A kernel that fills the device leaves no room: another kernel, or a memset, gets in when blocks end.
// run: THREELANE_MODEL=h200
// out: ok full_device
#include "conformance.h"

int main()
{
    int sms;
    float ms, set_ms;
    char *d;
    cudaStream_t s, t;
    cudaEvent_t begin, end, set;
    warm_up();
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaMalloc(&d, 64 << 20));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreate(&set));
    spin<<<2 * sms, 1024, 0, s>>>(1000, NULL);
    OK(cudaDeviceSynchronize());

    // Two blocks of 1,024 threads fill a multiprocessor.
    OK(cudaEventRecord(begin, s));
    spin<<<2 * sms, 1024, 0, s>>>(10000000, NULL);
    OK(cudaEventRecord(end, s));
    double issued = now_ms();
    while (now_ms() - issued < 1) {
    }
    OK(cudaMemsetAsync(d, 0, 64 << 20, t));
    OK(cudaEventRecord(set, t));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&ms, begin, end));
    OK(cudaEventElapsedTime(&set_ms, begin, set));
    CHECK(ms >= 9.9f && ms < 13);
    CHECK(set_ms >= 9.9f);

    // Two kernels that each fill it run one after the other.
    OK(cudaEventRecord(begin, s));
    spin<<<2 * sms, 1024, 0, s>>>(5000000, NULL);
    spin<<<2 * sms, 1024, 0, t>>>(5000000, NULL);
    OK(cudaStreamSynchronize(t));
    OK(cudaStreamSynchronize(s));
    OK(cudaEventRecord(end, s));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(ms >= 9.8f && ms < 15);
    return finish("full_device");
}
