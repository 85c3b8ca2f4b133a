// The h200 model charges what the calls were measured to cost, and leaves the measured gaps: all in microseconds, between
// the least and the most that calibrations of several days and gpu/facts.cu have found.
// run: THREELANE_MODEL=h200
// out: as measured
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

enum { MIB = 1 << 20 };
static int bad;

static double now_us()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}
static void between(const char *what, double value, double low, double high)
{
    if (value >= low && value <= high) return;
    printf("%s: %.3f, not %.3f to %.3f\n", what, value, low, high);
    bad++;
}
// The mean of many calls; what they leave on the device is waited for outside.
template <class F> static void costs(const char *what, double low, double high, F call, int many = 100)
{
    cudaDeviceSynchronize();
    double begin = now_us();
    for (int i = 0; i < many; i++) call();
    double each = (now_us() - begin) / many;
    cudaDeviceSynchronize();
    between(what, each, low, high);
}

__device__ static unsigned long long timer_ns()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
__global__ void tiny() {}
__global__ void spin(long long ns, unsigned long long *at)
{
    unsigned long long begin = timer_ns(), now;
    while ((long long)((now = timer_ns()) - begin) < ns) {
    }
    at[0] = begin;
    at[1] = now;
}
static void CUDART_CB nothing(void *) {}

int main()
{
    char *d, *d2, *h, *p = (char *)calloc(1, 64 * MIB);
    cudaStream_t s, t;
    cudaEvent_t e, f;
    cudaMalloc(&d, 256 * MIB);
    cudaMalloc(&d2, 256 * MIB);
    cudaMallocHost(&h, 64 * MIB);
    memset(p, 1, 64 * MIB); // pages that nobody has touched cost a copy more
    tiny<<<1, 1>>>();       // and so does a program's first launch
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    cudaEventCreate(&f);

    costs("launch", 3, 4.5, [&] { tiny<<<1, 1, 0, s>>>(); });
    costs("memcpyAsync 4 B", 1.0, 2.1, [&] { cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s); });
    costs("memcpyAsync 64 KiB", 1.0, 2.1, [&] { cudaMemcpyAsync(d, h, 65536, cudaMemcpyHostToDevice, s); });
    costs("memsetAsync", 3, 4, [&] { cudaMemsetAsync(d, 0, 65536, s); });
    costs("eventRecord", 0.7, 1.3, [&] { cudaEventRecord(e, s); });
    costs("streamWaitEvent", 0.1, 0.26, [&] { cudaStreamWaitEvent(t, e, 0); });
    costs("eventQuery", 0.1, 0.3, [&] { cudaEventQuery(e); });
    costs("streamQuery", 0.13, 0.35, [&] { cudaStreamQuery(s); });
    costs("streamSynchronize", 0.14, 0.45, [&] { cudaStreamSynchronize(s); });
    costs("deviceSynchronize", 0.3, 0.7, [&] { cudaDeviceSynchronize(); });
    costs("launchHostFunc", 0.8, 2.2, [&] { cudaLaunchHostFunc(s, nothing, NULL); });
    void *first; // the pool grows, which is slow; from then on it has what it needs
    double before = now_us();
    cudaMallocAsync(&first, 1 << 20, s);
    between("the first mallocAsync", now_us() - before, 6000, 12000);
    cudaFreeAsync(first, s);
    costs("mallocAsync and freeAsync", 0.45, 2.2, [&] {
        void *m;
        cudaMallocAsync(&m, 4096, s);
        cudaFreeAsync(m, s);
    });
    costs("streamCreate and Destroy", 15, 28, [&] {
        cudaStream_t u;
        cudaStreamCreate(&u);
        cudaStreamDestroy(u);
    });
    costs("malloc and free", 70, 110, [&] {
        void *m;
        cudaMalloc(&m, MIB);
        cudaFree(m);
    });
    costs("mallocHost and freeHost", 400, 800, [&] {
        void *m;
        cudaMallocHost(&m, MIB);
        cudaFreeHost(m);
    });

    // Staging.
    costs("pageable 64 KiB", 8, 40, [&] { cudaMemcpyAsync(d, p, 65536, cudaMemcpyHostToDevice, s); }, 1);
    costs("pageable 1 MiB", 80, 160, [&] { cudaMemcpyAsync(d, p, MIB, cudaMemcpyHostToDevice, s); }, 1);
    costs("pageable 16 MiB in", 1800, 2600, [&] { cudaMemcpyAsync(d, p, 16 * MIB, cudaMemcpyHostToDevice, s); }, 1);
    costs("pageable 16 MiB out", 1000, 1800, [&] { cudaMemcpyAsync(p, d, 16 * MIB, cudaMemcpyDeviceToHost, s); }, 1);

    // The device's own times.
    auto lasts = [&](const char *what, double low, double high, auto work) {
        float ms;
        cudaDeviceSynchronize();
        unsigned long long *at = (unsigned long long *)h;
        spin<<<1, 1, 0, s>>>(100000, at);             // so that the host is ahead
        cudaEventRecord(e, s);
        work();
        cudaEventRecord(f, s);
        cudaDeviceSynchronize();
        cudaEventElapsedTime(&ms, e, f);
        between(what, 1e3 * ms, low, high);
    };
    lasts("kernel of one thread, and the gap before it", 1.5, 2.4, [&] { tiny<<<1, 1, 0, s>>>(); });
    lasts("64 MiB in", 1205, 1230, [&] { cudaMemcpyAsync(d, h, 64 * MIB, cudaMemcpyHostToDevice, s); });
    lasts("64 MiB out", 1205, 1230, [&] { cudaMemcpyAsync(h, d, 64 * MIB, cudaMemcpyDeviceToHost, s); });
    lasts("256 MiB inside", 126, 136, [&] { cudaMemcpyAsync(d2, d, 256 * MIB, cudaMemcpyDeviceToDevice, s); });
    lasts("memset of 256 MiB", 58, 68, [&] { cudaMemsetAsync(d, 0, 256 * MIB, s); });
    lasts("a copy after a copy", 2 * 1205, 2 * 1230 + 5, [&] {
        cudaMemcpyAsync(d, h, 64 * MIB, cudaMemcpyHostToDevice, s);
        cudaMemcpyAsync(d, h, 64 * MIB, cudaMemcpyHostToDevice, s);
    });

    // Gaps.
    unsigned long long *at = (unsigned long long *)h;
    spin<<<1, 1, 0, s>>>(100000, at);
    spin<<<1, 1, 0, s>>>(1000, at + 2);
    cudaDeviceSynchronize();
    between("kernel to kernel", (double)(at[2] - at[1]) / 1e3, 1, 5);
    spin<<<1, 1, 0, s>>>(100000, at);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e, 0);
    spin<<<1, 1, 0, t>>>(1000, at + 2);
    cudaDeviceSynchronize();
    between("event across streams", (double)(at[2] - at[1]) / 1e3, 1.2, 2.1);
    spin<<<1, 1, 0, s>>>(100000, at);
    cudaMemcpyAsync(d, h + MIB, 4, cudaMemcpyHostToDevice, s);
    spin<<<1, 1, 0, s>>>(1000, at + 2);
    cudaDeviceSynchronize();
    between("kernel to copy to kernel", (double)(at[2] - at[1]) / 1e3, 2 + 2 + 2, 12 + 4 + 12);
    spin<<<1, 1, 0, s>>>(100000, at);
    cudaLaunchHostFunc(s, nothing, NULL);
    spin<<<1, 1, 0, s>>>(1000, at + 2);
    cudaDeviceSynchronize();
    between("kernel to function to kernel", (double)(at[2] - at[1]) / 1e3, 50, 300);
    double begin = now_us();
    for (int i = 0; i < 1000; i++) cudaLaunchHostFunc(s, nothing, NULL);
    cudaStreamSynchronize(s);
    between("functions back to back", (now_us() - begin) / 1000, 0.8, 2.6);
    if (!bad) printf("as measured\n");
    return bad;
}
