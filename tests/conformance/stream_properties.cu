// Flags, priorities, identity of streams.
// run: THREELANE_MODEL=h200
// out: ok stream_properties
#include "conformance.h"

int main()
{
    int low, high, priority, device;
    unsigned flags;
    unsigned long long a, b;
    cudaStream_t s, t;
    cudaStreamCaptureStatus status;
    warm_up();
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(low == 0 && high == -5);

    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, high - 10));
    OK(cudaStreamGetPriority(s, &priority));
    CHECK(priority == high);
    OK(cudaStreamGetFlags(s, &flags));
    CHECK(flags == cudaStreamNonBlocking);
    OK(cudaStreamCreateWithPriority(&t, cudaStreamDefault, low + 10));
    OK(cudaStreamGetPriority(t, &priority));
    CHECK(priority == low);
    OK(cudaStreamGetFlags(t, &flags));
    CHECK(flags == cudaStreamDefault);
    OK(cudaStreamGetPriority(0, &priority));
    CHECK(priority == 0);
    OK(cudaStreamGetId(s, &a));
    OK(cudaStreamGetId(t, &b));
    CHECK(a != b);
    OK(cudaStreamGetDevice(s, &device));
    CHECK(device == 0);
    OK(cudaStreamIsCapturing(s, &status));
    CHECK(status == cudaStreamCaptureStatusNone);

    IS(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&s, 99));
    IS(cudaErrorInvalidValue, cudaStreamCreate(NULL));
    IS(cudaSuccess, cudaStreamQuery(t));
    OK(cudaStreamDestroy(t));
    return finish("stream_properties");
}
