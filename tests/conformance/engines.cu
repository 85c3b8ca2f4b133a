// Copies in one direction share an engine; the two directions, and compute, go on at once.
// run: THREELANE_MODEL=h200
// schedules: 1
// out: ok engines
#include "conformance.h"

static cudaEvent_t e[4];

// How long from before until both streams are through.
template <class A, class B> static float together(cudaStream_t s, cudaStream_t t, A a, B b)
{
    float ms, ms2;
    OK(cudaDeviceSynchronize());
    busy(s, 1);                       // both are issued before either starts
    OK(cudaEventRecord(e[0], s));
    OK(cudaStreamWaitEvent(t, e[0], 0));
    a();
    OK(cudaEventRecord(e[1], s));
    b();
    OK(cudaEventRecord(e[2], t));
    OK(cudaDeviceSynchronize());
    OK(cudaEventElapsedTime(&ms, e[0], e[1]));
    OK(cudaEventElapsedTime(&ms2, e[0], e[2]));
    return ms > ms2 ? ms : ms2;
}

int main()
{
    const size_t bytes = 64 << 20;
    char *d, *h;
    cudaStream_t s, t;
    cudaDeviceProp prop;
    warm_up();
    OK(cudaGetDeviceProperties(&prop, 0));
    CHECK(prop.asyncEngineCount == 3);
    CHECK(prop.concurrentKernels == 1);
    OK(cudaMalloc(&d, 4 * bytes));
    OK(cudaMemset(d, 0, 4 * bytes));
    OK(cudaMallocHost(&h, 2 * bytes));
    memset(h, 1, 2 * bytes);
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    for (int i = 0; i < 4; i++) OK(cudaEventCreate(&e[i]));

    auto in_s = [&] { OK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s)); };
    auto in_t = [&] { OK(cudaMemcpyAsync(d + bytes, h + bytes, bytes, cudaMemcpyHostToDevice, t)); };
    auto out_t = [&] { OK(cudaMemcpyAsync(h + bytes, d + 2 * bytes, bytes, cudaMemcpyDeviceToHost, t)); };
    auto inside_t = [&] { OK(cudaMemcpyAsync(d + 3 * bytes, d + 2 * bytes, bytes, cudaMemcpyDeviceToDevice, t)); };
    auto set_t = [&] { OK(cudaMemsetAsync(d + 2 * bytes, 0, bytes, t)); };
    auto nothing = [] {};
    together(s, t, in_s, out_t);
    float alone = together(s, t, in_s, nothing);
    CHECK(together(s, t, in_s, in_t) > 1.9f * alone);
    float duplex = together(s, t, in_s, out_t);
    CHECK(duplex < 1.3f * alone);
    CHECK(duplex > 1.01f * alone);                    // they slow each other down a little

    // copies inside the device: one begins in the tail of the other
    auto many_s = [&] { for (int i = 0; i < 20; i++) OK(cudaMemcpyAsync(d + bytes, d, bytes, cudaMemcpyDeviceToDevice, s)); };
    auto many_t = [&] { for (int i = 0; i < 20; i++) inside_t(); };
    together(s, t, many_s, many_t);
    float inside = together(s, t, many_s, nothing);
    CHECK(together(s, t, many_s, many_t) > 1.6f * inside);

    auto kernel_s = [&] { busy(s, 5); };
    float kernel = together(s, t, kernel_s, nothing);
    CHECK(together(s, t, kernel_s, in_t) < 1.1f * kernel);
    CHECK(together(s, t, kernel_s, out_t) < 1.1f * kernel);
    CHECK(together(s, t, kernel_s, inside_t) < 1.1f * kernel);        // beside a kernel of one block
    CHECK(together(s, t, kernel_s, set_t) < 1.1f * kernel);
    auto kernel_t = [&] { busy(t, 5); };
    CHECK(together(s, t, kernel_s, kernel_t) < 1.1f * kernel);
    return finish("engines");
}
