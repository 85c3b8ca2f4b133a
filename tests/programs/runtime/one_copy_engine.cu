// One copy engine serves both directions in the order of issue: issued stream by stream, the second H2D waits behind
// the first D2H; issued stage by stage, all overlaps that can.
// run: THREELANE_MODEL=one-copy-engine
// out: depth first 12 units, breadth first 8 units, 1 engine
#include <cstdio>
#include <ctime>

enum { BATCHES = 4 };
static char *d, *h;
static cudaStream_t s[BATCHES];

static double now_ms()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
__global__ void work(char *p) { *p += 1; }
static void in(int i) { cudaMemcpyAsync(d + i, h + i, 1, cudaMemcpyHostToDevice, s[i]); }
static void through(int i) { work<<<1, 1, 0, s[i]>>>(d + i); }
static void out(int i) { cudaMemcpyAsync(h + i, d + i, 1, cudaMemcpyDeviceToHost, s[i]); }
template <class F> static double lasts(F issue)
{
    cudaDeviceSynchronize();
    double begin = now_ms();
    issue();
    cudaDeviceSynchronize();
    return now_ms() - begin;
}

int main()
{
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaMalloc(&d, BATCHES);
    cudaMallocHost(&h, BATCHES);
    for (cudaStream_t &stream : s) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    double depth = lasts([] {
        for (int i = 0; i < BATCHES; i++) in(i), through(i), out(i);
    });
    double breadth = lasts([] {
        for (int i = 0; i < BATCHES; i++) in(i);
        for (int i = 0; i < BATCHES; i++) through(i);
        for (int i = 0; i < BATCHES; i++) out(i);
    });
    printf("depth first %g units, breadth first %g units, %d engine%s\n", depth, breadth, prop.asyncEngineCount,
           prop.asyncEngineCount == 1 ? "" : "s");
    return 0;
}
