// On the textbook GPU everything takes exactly one unit, calls take nothing, and a schedule can be worked out by hand.
// run: THREELANE_MODEL=unit
// out: exact
#include <cstdio>
#include <ctime>

static int bad;
#define IS(WANTED, VALUE)                                                                          \
    do {                                                                                           \
        long long is_value = (VALUE);                                                              \
        if (is_value != (WANTED)) printf("line %d: %s is %lld\n", __LINE__, #VALUE, is_value), bad++; \
    } while (0)
static const long long unit = 1000000;

static long long now_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}
__global__ void small(int *p) { *p = 1; }
__global__ void large(int *p)
{
    for (int i = 0; i < 100; i++) p[threadIdx.x] += i;
}
__global__ void cycles(long long n)  // one cycle is a nanosecond there
{
    long long begin = clock64();
    while (clock64() - begin < n) {
    }
}
__global__ void naps(unsigned ns) { __nanosleep(ns); }
__global__ void timer(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < ns);
}
__global__ void old_clock(int n)
{
    clock_t begin = clock();
    while (clock() - begin < n) {
    }
}

// Until the device is idle again, in nanoseconds.
template <class F> static long long lasts(F work)
{
    cudaDeviceSynchronize();
    long long begin = now_ns();
    work();
    cudaDeviceSynchronize();
    return now_ns() - begin;
}
static bool near(long long value, long long wanted) { return value >= wanted && value <= wanted + wanted / 100 + 500; }

int main()
{
    int *d, *h;
    cudaStream_t s[4];
    cudaMalloc(&d, 1 << 20), cudaMemset(d, 0, 1 << 20);
    cudaMallocHost(&h, 1 << 20);
    for (cudaStream_t &stream : s) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    IS(unit, lasts([&] { small<<<1, 1, 0, s[0]>>>(d); }));
    IS(unit, lasts([&] { large<<<64, 256, 0, s[0]>>>(d); }));
    IS(unit, lasts([&] { cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s[0]); }));
    IS(unit, lasts([&] { cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, s[0]); }));
    IS(unit, lasts([&] { cudaMemcpyAsync(h, d, 1 << 20, cudaMemcpyDeviceToHost, s[0]); }));
    IS(unit, lasts([&] { cudaMemcpyAsync(d + 1, d, 4, cudaMemcpyDeviceToDevice, s[0]); }));
    IS(unit, lasts([&] { cudaMemsetAsync(d, 0, 1 << 20, s[0]); }));
    IS(2 * unit, lasts([&] { cudaMemsetAsync(d, 0, 4, s[0]), small<<<1, 1, 0, s[0]>>>(d); }));
    IS(unit, lasts([&] { small<<<1, 1, 0, s[0]>>>(d), small<<<1, 1, 0, s[1]>>>(d); }));
    IS(2 * unit, lasts([&] {
        for (int i = 0; i < 2; i++) cudaMemcpyAsync(d + i, h, 4, cudaMemcpyHostToDevice, s[i]);
    }));
    IS(unit, lasts([&] {
        cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s[0]);
        small<<<1, 1, 0, s[1]>>>(d + 8);
        cudaMemcpyAsync(h + 4, d + 4, 4, cudaMemcpyDeviceToHost, s[2]);
    }));
    for (int batches = 1; batches <= 4; batches++)      // three stages: batches + 2 units
        IS((batches + 2) * unit, lasts([&] {
            for (int i = 0; i < batches; i++) {
                cudaMemcpyAsync(d + i, h + i, 4, cudaMemcpyHostToDevice, s[i]);
                small<<<1, 1, 0, s[i]>>>(d + i);
                cudaMemcpyAsync(h + i, d + i, 4, cudaMemcpyDeviceToHost, s[i]);
            }
        }));

    // Kernels that look at a clock last as long as they say, here too.
    const long long spun[] = {lasts([&] { cycles<<<1, 1>>>(5 * unit); }), lasts([&] { naps<<<1, 32>>>(500000); }),
                              lasts([&] { timer<<<4, 32>>>(3 * unit); }), lasts([&] { old_clock<<<2, 1>>>(700000); })};
    IS(1, near(spun[0], 5 * unit));
    IS(1, near(spun[1], unit / 2));
    IS(1, near(spun[2], 3 * unit));
    IS(1, near(spun[3], 700000));

    // Events carry device time.
    float ms;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, s[0]);
    cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s[0]);
    small<<<1, 1, 0, s[0]>>>(d);
    cudaEventRecord(end, s[0]);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    IS(1, ms == 2.0f);
    if (!bad) printf("exact\n");
    return bad;
}
// hazard: global-race 24 24
// hazard: race 74 74
