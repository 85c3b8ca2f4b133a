// A kernel of high priority that comes while one of low priority runs in many waves gets in at the next wave.
// run: THREELANE_MODEL=h200
// out: ok stream_priority
#include "conformance.h"

extern __shared__ char room[];
// Fills its multiprocessor with shared memory, so that a wave is one block on each.
__global__ void wave(long long ns, unsigned long long *at)
{
    unsigned long long begin = timer_ns(), now;
    room[0] = 0;
    do {
        now = timer_ns();
    } while ((long long)(now - begin) < ns);
    if (blockIdx.x == 0) *at = begin;
}

int main()
{
    const int shared = 160 << 10, waves = 6;
    int low, high, sms;
    float ms;
    unsigned long long *at, h[2];
    cudaStream_t l, p;
    cudaEvent_t l_end, p_end;
    warm_up();
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    OK(cudaStreamCreateWithPriority(&l, cudaStreamNonBlocking, low));
    OK(cudaStreamCreateWithPriority(&p, cudaStreamNonBlocking, high));
    OK(cudaFuncSetAttribute(wave, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    OK(cudaMalloc(&at, sizeof h));
    OK(cudaEventCreate(&l_end));
    OK(cudaEventCreate(&p_end));
    wave<<<1, 1, shared, l>>>(1000, at);
    OK(cudaDeviceSynchronize());

    wave<<<waves * sms, 1, shared, l>>>(5000000, at);
    OK(cudaEventRecord(l_end, l));
    double begin = now_ms();
    while (now_ms() - begin < 2) {
    }
    wave<<<sms, 1, shared, p>>>(1000000, at + 1);
    OK(cudaEventRecord(p_end, p));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(h, at, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h[1] > h[0] + 2000000);                     // no preemption
    CHECK(h[1] < h[0] + 2 * 5000000ull);              // but the next wave
    OK(cudaEventElapsedTime(&ms, p_end, l_end));
    CHECK(ms > 5);
    return finish("stream_priority");
}
