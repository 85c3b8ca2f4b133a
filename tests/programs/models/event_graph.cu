// Four streams and two edges between them: as long as the longest path, and longer with an edge too many; with nodes of
// any length, which last by the clock (exercise 48).
// run: THREELANE_MODEL=unit
// out: exact
#include "exact.h"

enum { A, B, C, D, STREAMS };
static cudaStream_t s[STREAMS];
static cudaEvent_t first, second;
static int *d;

__global__ void stage(int *p) { p[threadIdx.x] += 1; }
// As many units as it is asked for: by the clock, which is one cycle a nanosecond on a textbook.
__global__ void node(int *p, int units)
{
    p[threadIdx.x] += 1;
    long long begin = clock64();
    while (clock64() - begin < units * 1000000ll) {
    }
}

static int length[STREAMS];
static void chain(int stream, int n, int on = -1)
{
    for (int i = 0; i < n; i++) {
        if (length[stream]) node<<<1, 32, 0, s[on < 0 ? stream : on]>>>(d + 32 * stream, length[stream]);
        else stage<<<1, 32, 0, s[on < 0 ? stream : on]>>>(d + 32 * stream);
    }
}
static void edge(cudaEvent_t event, int from, int to)
{
    MUST(cudaEventRecord(event, s[from]));
    MUST(cudaStreamWaitEvent(s[to], event, 0));
}
// after_a, after_b: how many nodes of A and of B the edges wait for
static void graph(int after_a, int after_b)
{
    chain(A, after_a);
    edge(first, A, B);
    chain(A, 3 - after_a);
    chain(B, after_b);
    edge(second, B, D);
    chain(B, 3 - after_b);
    chain(C, 4);
    chain(D, 2);
}

int main()
{
    MUST(cudaMalloc(&d, STREAMS * 32 * sizeof(int)));
    MUST(cudaMemset(d, 0, STREAMS * 32 * sizeof(int)));
    for (auto &stream : s) MUST(cudaStreamCreate(&stream));
    MUST(cudaEventCreateWithFlags(&first, cudaEventDisableTiming));
    MUST(cudaEventCreateWithFlags(&second, cudaEventDisableTiming));

    LASTS(12, [] { for (int i = 0; i < STREAMS; i++) chain(i, i == C ? 4 : i == D ? 2 : 3, A); });
    LASTS(10, [] {
        chain(A, 3);
        MUST(cudaStreamSynchronize(s[A]));
        chain(B, 3);
        MUST(cudaStreamSynchronize(s[B]));
        chain(C, 4);
        chain(D, 2);
    });
    LASTS(5, [] { graph(1, 2); });
    LASTS(7, [] { graph(3, 2); });
    LASTS(6, [] { graph(1, 3); });

    // kernels by the clock, on the same model
    for (int &units : length) units = 1;
    LASTS(5, [] { graph(1, 2); });
    LASTS(7, [] { graph(3, 2); });
    length[A] = 2, length[B] = 3, length[C] = 1, length[D] = 5;
    LASTS(2 + 2 * 3 + 2 * 5, [] { graph(1, 2); });
    LASTS(3 * 2 + 2 * 3 + 2 * 5, [] { graph(3, 2); });
    length[C] = 7;
    LASTS(4 * 7, [] { graph(1, 2); });
    if (!bad) printf("exact\n");
    return bad;
}
