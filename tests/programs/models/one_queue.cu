// Chains of two kernels in as many streams, through one hardware queue: what is issued first is started first, and
// a kernel that waits for its stream holds up those behind it (exercise 49, B).
// run: THREELANE_MODEL=one-queue
// out: 3 chains: chain by chain 4, in turn 2; 6 chains: chain by chain 7, in turn 2
#include "exact.h"

static int *d;
static cudaStream_t s[6];
__global__ void link(int *p) { p[threadIdx.x] += 1; }

static void depth(int chains)
{
    for (int i = 0; i < chains; i++)
        for (int k = 0; k < 2; k++) link<<<1, 32, 0, s[i]>>>(d + 32 * i);
}
static void breadth(int chains)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < chains; i++) link<<<1, 32, 0, s[i]>>>(d + 32 * i);
}

int main()
{
    MUST(cudaMalloc(&d, 6 * 32 * sizeof(int)));
    MUST(cudaMemset(d, 0, 6 * 32 * sizeof(int)));
    for (auto &stream : s) MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int chains = 3; chains <= 6; chains += 3)
        printf("%d chains: chain by chain %g, in turn %g%s", chains, units([&] { depth(chains); }),
               units([&] { breadth(chains); }), chains == 3 ? "; " : "\n");
    return 0;
}
