// A stray kernel in stream 0 between pipelined batches, and two host threads' default streams (exercise 46).
// run: THREELANE_MODEL=unit
// out: exact
#include "exact.h"
#include <thread>

enum { BATCHES = 4, N = 256 };
static int *h, *d, *beats;
static cudaStream_t blocking[BATCHES], own[BATCHES];

__global__ void work(int *p) { p[threadIdx.x] += 1; }
__global__ void beat(int *p) { atomicAdd(p, 1); }

static void batch(int i, cudaStream_t s)
{
    MUST(cudaMemcpyAsync(d + i * N, h + i * N, N * sizeof(int), cudaMemcpyHostToDevice, s));
    work<<<1, N, 0, s>>>(d + i * N);
    MUST(cudaMemcpyAsync(h + i * N, d + i * N, N * sizeof(int), cudaMemcpyDeviceToHost, s));
}
static void three(cudaStream_t s, int *p)
{
    for (int i = 0; i < 3; i++) work<<<1, N, 0, s>>>(p);
    MUST(cudaStreamSynchronize(s));
}
static void two_threads(cudaStream_t s)
{
    std::thread a(three, s, d), b(three, s, d + N);
    a.join();
    b.join();
}

int main()
{
    cudaStream_t library;
    cudaEvent_t done;
    MUST(cudaMallocHost(&h, BATCHES * N * sizeof(int)));
    MUST(cudaMalloc(&d, BATCHES * N * sizeof(int)));
    MUST(cudaMalloc(&beats, sizeof(int)));
    MUST(cudaMemset(beats, 0, sizeof(int)));
    for (int i = 0; i < BATCHES * N; i++) h[i] = 0;
    for (auto &s : blocking) MUST(cudaStreamCreate(&s));
    for (auto &s : own) MUST(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    MUST(cudaStreamCreate(&library));
    MUST(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));

    LASTS(4 * (3 + 1), [&] { for (int i = 0; i < BATCHES; i++) batch(i, blocking[i]), beat<<<1, 1>>>(beats); });
    LASTS(BATCHES + 2, [&] { for (int i = 0; i < BATCHES; i++) batch(i, blocking[i]), beat<<<1, 1, 0, library>>>(beats); });
    LASTS(BATCHES + 2, [&] { for (int i = 0; i < BATCHES; i++) batch(i, own[i]), beat<<<1, 1>>>(beats); });
    // one of the stray kernels needs the first batch's result, which the wall used to give
    LASTS(BATCHES + 2, [&] {
        for (int i = 0; i < BATCHES; i++) {
            batch(i, own[i]);
            if (i == 0) MUST(cudaEventRecord(done, own[0]));
            if (i == 2) MUST(cudaStreamWaitEvent(cudaStreamLegacy, done, 0));
            beat<<<1, 1>>>(beats);
        }
    });
    // the wrong ways: one beat of four left where it was; a beat in its batch's own stream
    LASTS(3 + 1 + 5, [&] {
        for (int i = 0; i < BATCHES; i++) batch(i, blocking[i]), beat<<<1, 1, 0, i ? library : 0>>>(beats);
    });
    LASTS(BATCHES + 3, [&] { for (int i = 0; i < BATCHES; i++) batch(i, blocking[i]), beat<<<1, 1, 0, blocking[i]>>>(beats); });
    LASTS(6, [&] { two_threads(cudaStreamLegacy); });
    LASTS(3, [&] { two_threads(cudaStreamPerThread); });
    // one of the two stays in stream 0: its kernels are walls for the other's
    LASTS(6, [&] {
        std::thread a(three, cudaStreamLegacy, d), b(three, cudaStreamPerThread, d + N);
        a.join();
        b.join();
    });
    if (!bad) printf("exact\n");
    return bad;
}
