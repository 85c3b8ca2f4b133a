// A memset is a kernel's neighbour: it needs room on the multiprocessors (exercise 50). Two streams, two rounds each:
// copy in, clear the results, a kernel, copy out, and a host function.
// run: THREELANE_MODEL=room
// out: exact
#include "exact.h"

enum { SMS = 16, FULL = 2 * SMS, N = 1024 };
static int *h_in, *h_out, *in, *counts;
static cudaStream_t s[2], side[2];
static cudaEvent_t read_back[2], cleared[2];

__global__ void count(const int *from, int *to, int clears)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) to[i] = (clears ? 0 : to[i]) + from[i];
}
static void CUDART_CB received(void *) {}

static void clear(int k)
{
    MUST(cudaMemsetAsync(counts + k * N, 0, N * sizeof(int), side[k]));
    MUST(cudaEventRecord(cleared[k], side[k]));
}

enum How { PLAIN, FOLDED, BESIDE };
static void rounds(How how, int blocks)
{
    if (how == BESIDE)
        for (int k = 0; k < 2; k++) clear(k);
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 2; k++) {
            MUST(cudaMemcpyAsync(in + k * N, h_in + k * N, N * sizeof(int), cudaMemcpyHostToDevice, s[k]));
            if (how == PLAIN) MUST(cudaMemsetAsync(counts + k * N, 0, N * sizeof(int), s[k]));
            if (how == BESIDE) MUST(cudaStreamWaitEvent(s[k], cleared[k], 0));
            count<<<blocks, 1024, 0, s[k]>>>(in + k * N, counts + k * N, how == FOLDED);
            MUST(cudaMemcpyAsync(h_out + k * N, counts + k * N, N * sizeof(int), cudaMemcpyDeviceToHost, s[k]));
            if (how == BESIDE && !round) {
                MUST(cudaEventRecord(read_back[k], s[k]));
                MUST(cudaStreamWaitEvent(side[k], read_back[k], 0));
                clear(k);
            }
            MUST(cudaLaunchHostFunc(s[k], received, NULL));
        }
    }
}

int main()
{
    MUST(cudaMallocHost(&h_in, 2 * N * sizeof(int)));
    MUST(cudaMallocHost(&h_out, 2 * N * sizeof(int)));
    MUST(cudaMalloc(&in, 2 * N * sizeof(int)));
    MUST(cudaMalloc(&counts, 2 * N * sizeof(int)));
    for (int i = 0; i < 2 * N; i++) h_in[i] = i;
    for (int k = 0; k < 2; k++) {
        MUST(cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking));
        MUST(cudaStreamCreateWithFlags(&side[k], cudaStreamNonBlocking));
        MUST(cudaEventCreateWithFlags(&read_back[k], cudaEventDisableTiming));
        MUST(cudaEventCreateWithFlags(&cleared[k], cudaEventDisableTiming));
    }
    LASTS(10, [] { rounds(PLAIN, FULL); });
    LASTS(9, [] { rounds(PLAIN, FULL - 2); });
    LASTS(7, [] { rounds(FOLDED, FULL); });
    LASTS(8, [] { rounds(BESIDE, FULL); });
    LASTS(7, [] { rounds(BESIDE, FULL - 2); });

    // rooms: a unit for each round of blocks; two that fit beside each other
    LASTS(3, [] { count<<<2 * FULL + 1, 1024, 0, s[0]>>>(in, counts, 1); });
    LASTS(1, [] {
        count<<<FULL / 2, 1024, 0, s[0]>>>(in, counts, 1);
        count<<<FULL / 2, 1024, 0, s[1]>>>(in + N, counts + N, 1);
    });
    LASTS(2, [] {
        count<<<FULL, 1024, 0, s[0]>>>(in, counts, 1);
        count<<<FULL, 1024, 0, s[1]>>>(in + N, counts + N, 1);
    });
    if (!bad) printf("exact\n");
    return bad;
}
