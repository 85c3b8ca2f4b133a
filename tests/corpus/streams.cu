// Chunks in streams: depth first, breadth first, with events for the ends, with priorities, destroyed early.
// variant: -DORDER=1
// variant: -DORDER=1 -DTYPE=int -DSTREAMS=3 -DERRORS=3
// variant: -DORDER=2
// variant: -DORDER=2 -DSTREAMS=8 -DERRORS=2
// variant: -DORDER=1 -DEND=2
// variant: -DORDER=2 -DEND=3
// variant: -DORDER=1 -DEND=4 -DSTREAMS=2
// variant: -DORDER=1 -DEND=5
// variant: -DORDER=2 -DFLAGS=cudaStreamNonBlocking -DERRORS=5
// variant: -DORDER=1 -DREGISTER -DTYPE=double
// variant: -DORDER=1 -DTYPE=int -DSTREAMS=3 -DERRORS=3 -O0
// variant: -DORDER=2 -DSTREAMS=8 -DERRORS=2 -std=c++20 -O3
// variant: -DORDER=2 -DEND=3 -G
// variant: -DORDER=1 -DEND=5 -std=c++14 -lineinfo -arch=sm_90
// wrong: -DORDER=1 -DWRONG=1 = host-race
// wrong: -DORDER=2 -DWRONG=1 = host-race
// wrong: -DORDER=1 -DWRONG=2 = race
// wrong: -DORDER=1 -DWRONG=3 = race
// wrong: -DORDER=1 -DWRONG=4 -DFLAGS=cudaStreamNonBlocking = race,host-race
// wrong: -DORDER=2 -DWRONG=5 = host-race
// wrong: -DORDER=1 -DWRONG=6 = host-race
// wrong: -DORDER=1 -DWRONG=7 = out-of-bounds
// wrong: -DORDER=2 -DWRONG=8 = race
// wrong: -DORDER=1 -DREGISTER -DWRONG=9 = wrong-memory,free-in-flight
#include "helper.h"
#ifndef STREAMS
#define STREAMS 4
#endif
#ifndef FLAGS
#define FLAGS cudaStreamDefault
#endif
#ifndef END
#define END 1
#endif
enum { N = 24 * 1024, CHUNK = N / STREAMS };

__global__ void kernel(T *a, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    a[i] = a[i] * 2 + 1;
}

int main()
{
    const size_t bytes = N * sizeof(T), part = CHUNK * sizeof(T);
    T *a, *d_a;
#ifdef REGISTER
    a = (T *)malloc(bytes);
    CHECK(cudaHostRegister(a, bytes, cudaHostRegisterDefault));
#else
    CHECK(cudaMallocHost((void **)&a, bytes));
#endif
    CHECK(cudaMalloc((void **)&d_a, bytes));
    cudaStream_t stream[STREAMS];
    for (int i = 0; i < STREAMS; ++i) CHECK(cudaStreamCreateWithFlags(&stream[i], FLAGS));
    for (int i = 0; i < N; i++) a[i] = i % 11;
#if ORDER == 1
    for (int i = 0; i < STREAMS; ++i) {
        int offset = i * CHUNK, on = WRONG == 2 ? 0 : offset;
        cudaStream_t s = stream[i], other = WRONG == 3 ? stream[(i + 1) % STREAMS] : s;
        CHECK(cudaMemcpyAsync(&d_a[on], &a[offset], part + (WRONG == 7 && i == STREAMS - 1), cudaMemcpyHostToDevice, s));
        kernel<<<CHUNK / 256, 256, 0, WRONG == 4 ? 0 : s>>>(d_a, on);
        CHECK(cudaMemcpyAsync(&a[offset], &d_a[on], part, cudaMemcpyDeviceToHost, other));
        if (WRONG == 6) a[offset] += 0;
    }
#else
    for (int i = 0; i < STREAMS; ++i) {
        int offset = i * CHUNK;
        CHECK(cudaMemcpyAsync(&d_a[offset], &a[offset], part, cudaMemcpyHostToDevice, stream[i]));
    }
    for (int i = 0; i < STREAMS; ++i)
        kernel<<<CHUNK / 256, 256, 0, stream[WRONG == 8 ? 0 : i]>>>(d_a, i * CHUNK);
    for (int i = 0; i < STREAMS; ++i)
        CHECK(cudaMemcpyAsync(&a[i * CHUNK], &d_a[i * CHUNK], part, cudaMemcpyDeviceToHost, stream[i]));
#endif
    CHECK_LAUNCH();
#if END == 1
    for (int i = 0; i < STREAMS - (WRONG == 5); i++)
        if (WRONG != 1) CHECK(cudaStreamSynchronize(stream[i]));
#elif END == 2
    CHECK(cudaDeviceSynchronize());
#elif END == 3
    for (cudaStream_t s : stream)
        while (cudaStreamQuery(s) == cudaErrorNotReady) {}
#elif END == 4
    cudaEvent_t done[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
        CHECK(cudaEventRecord(done[i], stream[i]));
    }
    for (cudaEvent_t e : done) CHECK(cudaEventSynchronize(e));
    for (cudaEvent_t e : done) CHECK(cudaEventDestroy(e));
#else
    for (int i = 0; i < STREAMS; i++) CHECK(cudaStreamDestroy(stream[i]));
    CHECK(cudaDeviceSynchronize());
#endif
    bool right = true;
    for (int i = 0; i < N; i++) right = right && a[i] == T(i % 11 * 2 + 1);
    if (END != 5)
        for (int i = 0; i < STREAMS; ++i) CHECK(cudaStreamDestroy(stream[i]));
    CHECK(cudaFree(d_a));
#ifdef REGISTER
    if (WRONG != 9) CHECK(cudaHostUnregister(a));
    free(a);
#else
    CHECK(cudaFreeHost(a));
#endif
    return verdict(right);
}
