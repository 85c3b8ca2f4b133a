// A launch that costs the host a unit: from the first kernel's start to the last one's end the 24 launches of four times
// six kernels decide; copies, events and waits are free (exercise 56).
// run: THREELANE_MODEL=launch-cost
// out: 24 launches of cost 1 in two streams: 24; a copy 1
#include "exact.h"

static int *d, *h;
static cudaStream_t s[2];
static cudaEvent_t e[2];
__global__ void work(int *p) { *p += 1; }

int main()
{
    MUST(cudaMalloc(&d, 2 * sizeof(int)));
    MUST(cudaMemset(d, 0, 2 * sizeof(int)));
    MUST(cudaMallocHost(&h, sizeof(int)));
    *h = 0;
    for (auto &stream : s) MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (auto &event : e) MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    double all = units([] {             // four times K1 -> {K2, K3 | K4, K5} -> K6
        for (int i = 0; i < 4; i++) {
            work<<<1, 1, 0, s[0]>>>(d);
            MUST(cudaEventRecord(e[0], s[0]));
            MUST(cudaStreamWaitEvent(s[1], e[0], 0));
            for (int k = 0; k < 2; k++) work<<<1, 1, 0, s[0]>>>(d);
            for (int k = 0; k < 2; k++) work<<<1, 1, 0, s[1]>>>(d + 1);
            MUST(cudaEventRecord(e[1], s[1]));
            MUST(cudaStreamWaitEvent(s[0], e[1], 0));
            work<<<1, 1, 0, s[0]>>>(d);
        }
    });
    double cost = units([] { work<<<1, 1, 0, s[0]>>>(d); }) - 1;      // the first kernel starts when its launch returns
    double copy = units([] { MUST(cudaMemcpyAsync(d, h, sizeof(int), cudaMemcpyHostToDevice, s[0])); });
    printf("24 launches of cost %g in two streams: %g; a copy %g\n", cost, all - cost, copy);
    return 0;
}
