// Work forks into streams and joins again, by events: diamonds, three stages, a stream per stage, default streams.
// variant: -DSHAPE=1
// variant: -DSHAPE=1 -DTYPE=int -DERRORS=2
// variant: -DSHAPE=2
// variant: -DSHAPE=2 -DTYPE=double -DERRORS=3
// variant: -DSHAPE=3
// variant: -DSHAPE=4
// variant: -DSHAPE=5
// variant: -DSHAPE=5 --default-stream per-thread
// variant: -DSHAPE=1 -DTYPE=int -DERRORS=2 -O0
// variant: -DSHAPE=2 -DTYPE=double -DERRORS=3 -std=c++20 -O3
// variant: -DSHAPE=4 -G
// variant: -DSHAPE=5 --default-stream per-thread -std=c++14 -lineinfo -arch=sm_90
// wrong: -DSHAPE=1 -DWRONG=1 = race
// wrong: -DSHAPE=1 -DWRONG=2 = race
// wrong: -DSHAPE=2 -DWRONG=1 = race
// wrong: -DSHAPE=2 -DWRONG=2 = race
// wrong: -DSHAPE=3 -DWRONG=1 = race
// wrong: -DSHAPE=4 -DWRONG=1 = race
// wrong: -DSHAPE=5 -DWRONG=1 = race
// wrong: -DSHAPE=1 -DWRONG=3 = race
// wrong: -DSHAPE=2 -DWRONG=4 = race
#include "helper.h"
enum { N = 2048 };
__global__ void set(T *p, T v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v; }
__global__ void add(T *to, const T *a, const T *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = a[i] + b[i];
}
static cudaEvent_t events[64];
static int n;
static cudaEvent_t record(cudaStream_t s)
{
    CHECK(cudaEventCreateWithFlags(&events[n], cudaEventDisableTiming));
    CHECK(cudaEventRecord(events[n], s));
    return events[n++];
}
int main()
{
    T *a, *b, *c, got[N];
    cudaStream_t s, t, u;
    const unsigned flags = SHAPE == 4 || SHAPE == 5 ? cudaStreamDefault : cudaStreamNonBlocking;
    CHECK(cudaMalloc(&a, sizeof got));
    CHECK(cudaMalloc(&b, sizeof got));
    CHECK(cudaMalloc(&c, sizeof got));
    CHECK(cudaStreamCreateWithFlags(&s, flags));
    CHECK(cudaStreamCreateWithFlags(&t, WRONG == 1 && SHAPE >= 4 ? cudaStreamNonBlocking : flags));
    CHECK(cudaStreamCreateWithFlags(&u, flags));
    T wanted = 0;
#if SHAPE == 1       // a diamond
    cudaEvent_t early = NULL;
    if (WRONG == 3) early = record(t);
    set<<<N / 256, 256, 0, s>>>(a, 1);
    cudaEvent_t forked = record(s);
    if (WRONG != 2) CHECK(cudaStreamWaitEvent(t, forked, 0));
    add<<<N / 256, 256, 0, s>>>(b, a, a);
    add<<<N / 256, 256, 0, t>>>(c, a, a);
    if (WRONG != 3) early = record(t);
    if (WRONG != 1) CHECK(cudaStreamWaitEvent(s, early, 0));
    add<<<N / 256, 256, 0, s>>>(a, b, c);
    wanted = 4;
#elif SHAPE == 2     // a stream a stage, again and again
    cudaEvent_t back = NULL;
    set<<<N / 256, 256, 0, s>>>(b, 0);
    CHECK(cudaStreamWaitEvent(u, record(s), 0));
    for (int round = 0; round < 5; round++) {
        if (round && WRONG != 1) CHECK(cudaStreamWaitEvent(s, back, 0));
        set<<<N / 256, 256, 0, s>>>(a, round);
        if (WRONG != 2) CHECK(cudaStreamWaitEvent(t, record(s), 0));
        add<<<N / 256, 256, 0, t>>>(c, a, a);
        cudaEvent_t done = record(WRONG == 4 ? s : t);
        CHECK(cudaStreamWaitEvent(u, done, 0));
        add<<<N / 256, 256, 0, u>>>(b, b, c);
        back = record(u);
        wanted += 2 * round;
    }
    CHECK(cudaStreamWaitEvent(s, back, 0));
    CHECK(cudaMemcpyAsync(a, b, sizeof got, cudaMemcpyDeviceToDevice, s));
#elif SHAPE == 3     // one event, recorded again each time
    cudaEvent_t e = record(s);
    for (int round = 0; round < 4; round++) {
        cudaStream_t from = round % 2 ? t : s, to = round % 2 ? s : t;
        set<<<N / 256, 256, 0, from>>>(a, round);
        CHECK(cudaEventRecord(e, from));
        if (WRONG != 1 || round != 2) CHECK(cudaStreamWaitEvent(to, e, 0));
    }
    wanted = 3;
#elif SHAPE == 4     // the default stream is the barrier
    set<<<N / 256, 256, 0, s>>>(a, 1);
    set<<<N / 256, 256, 0, t>>>(b, 2);
    add<<<N / 256, 256>>>(c, a, b);
    add<<<N / 256, 256, 0, u>>>(a, c, c);
    wanted = 6;
#else                // sets and copies of the default stream before kernels of blocking streams
    set<<<N / 256, 256, 0, t>>>(b, 1);
    CHECK(cudaStreamSynchronize(WRONG == 1 ? u : t));
    add<<<N / 256, 256, 0, s>>>(a, b, b);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(c, a, sizeof got, cudaMemcpyDeviceToDevice));
    wanted = 2;
#endif
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
    bool right = true;
    for (T x : got) right = right && x == wanted;
    for (int i = 0; i < n; i++) CHECK(cudaEventDestroy(events[i]));
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaStreamDestroy(t));
    CHECK(cudaStreamDestroy(u));
    cudaFree(a), cudaFree(b), cudaFree(c);
    return verdict(right);
}
