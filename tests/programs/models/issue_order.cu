// The order of issue on a card with one copy engine (exercise 49, A).
// run: THREELANE_MODEL=one-copy-engine
// out: depth first 12, breadth first 8, one ahead 8
#include "exact.h"

enum { BATCHES = 4 };
static char *d, *h;
static cudaStream_t s[BATCHES];

__global__ void work(char *p) { *p += 1; }
static void in(int i) { MUST(cudaMemcpyAsync(d + i, h + i, 1, cudaMemcpyHostToDevice, s[i])); }
static void through(int i) { work<<<1, 1, 0, s[i]>>>(d + i); }
static void out(int i) { MUST(cudaMemcpyAsync(h + i, d + i, 1, cudaMemcpyDeviceToHost, s[i])); }

int main()
{
    MUST(cudaMalloc(&d, BATCHES));
    MUST(cudaMallocHost(&h, BATCHES));
    for (int i = 0; i < BATCHES; i++) h[i] = 0;
    for (cudaStream_t &stream : s) MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    double depth = units([] {
        for (int i = 0; i < BATCHES; i++) in(i), through(i), out(i);
    });
    double breadth = units([] {
        for (int i = 0; i < BATCHES; i++) in(i);
        for (int i = 0; i < BATCHES; i++) through(i);
        for (int i = 0; i < BATCHES; i++) out(i);
    });
    double ahead = units([] {           // H2D0 H2D1 D2H0 H2D2 D2H1 ...: two buffers would do
        for (int i = 0; i < BATCHES; i++) {
            in(i), through(i);
            if (i) out(i - 1);
        }
        out(BATCHES - 1);
    });
    printf("depth first %g, breadth first %g, one ahead %g\n", depth, breadth, ahead);
    return 0;
}
