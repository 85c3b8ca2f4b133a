// facts.cu - measures again what the virtual GPU is held to, and says where this card and driver differ. Built and run
// by `make test-gpu` (gpu/conformance) on a machine with a GPU; a difference in kind (a call that waits where it did
// not, another result) is marked DIFFERS, and so is a time outside the range that was seen before. Times depend on the
// machine: only differences in kind fail the run. On another card than an H200 only CUDA's rules can differ.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

static int kinds, times;
static const size_t KIB = 1024, MIB = 1024 * KIB;

#define CHECK(call)                                                                                        \
    do {                                                                                                   \
        cudaError_t error_ = (call);                                                                       \
        if (error_ != cudaSuccess) {                                                                       \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));              \
            exit(2);                                                                                       \
        }                                                                                                  \
    } while (0)

__global__ void spin(long long ns)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}
__global__ void stamp(unsigned long long *at, long long ns)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
    if (threadIdx.x == 0 && blockIdx.x == 0) at[0] = begun;
    if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) at[1] = now;
}

static double now_us()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

// What was seen before is of an H200: on another card it is shown beside, and is nothing to differ from.
static bool is_h200;
static void heading(const char *text) { printf("\n%s\n", text); }
// A time that depends on the machine.
static void time_is(const char *what, double value, double low, double high, const char *unit)
{
    bool differs = value < low || value > high;
    times += is_h200 && differs;
    printf("  %-62s %10.3f %-3s %s %g to %g%s\n", what, value, unit, is_h200 ? "expected" : "an H200:", low, high,
           is_h200 && differs ? "   DIFFERS" : "");
}
// What a card is like: the card says it, and another card may say something else.
static void card_is(const char *what, long long value, long long on_an_h200)
{
    bool differs = is_h200 && value != on_an_h200;
    kinds += differs;
    printf("  %-62s %10lld     %s %lld%s\n", what, value, is_h200 ? "expected" : "an H200:", on_an_h200,
           differs ? "   DIFFERS IN KIND" : "");
}
// A rule.
static void is(const char *what, long long value, long long expected)
{
    bool differs = value != expected;
    kinds += differs;
    printf("  %-62s %10lld     expected %lld%s\n", what, value, expected, differs ? "   DIFFERS IN KIND" : "");
}
static void waits(const char *what, double us, double busy_us, bool expected)
{
    bool waited = us > busy_us / 2;
    kinds += waited != expected;
    printf("  %-62s %10.3f ms  %s%s\n", what, us / 1e3, waited ? "waits" : "returns",
           waited != expected ? "   DIFFERS IN KIND" : "");
}

static char *device, *device2, *pinned, *pageable, *pageable2;
static cudaStream_t s, t, blocking;

static const double BUSY_US = 20000;

/* How long a call lasts that is made while a stream is busy. */
static double behind(cudaStream_t busy, std::function<void()> call)
{
    CHECK(cudaDeviceSynchronize());
    spin<<<1, 1, 0, busy>>>((long long)(BUSY_US * 1000));
    double begun = now_us();
    call();
    double took = now_us() - begun;
    CHECK(cudaDeviceSynchronize());
    return took;
}
static double each(int calls, std::function<void()> call)
{
    std::vector<double> rounds;
    for (int round = 0; round < 15; round++) {
        CHECK(cudaDeviceSynchronize());
        double begun = now_us();
        for (int i = 0; i < calls; i++) call();
        rounds.push_back((now_us() - begun) / calls);
    }
    CHECK(cudaDeviceSynchronize());
    std::sort(rounds.begin(), rounds.end());
    return rounds[rounds.size() / 2];
}

static void who_waits()
{
    heading("Who waits: copies and sets, issued behind a kernel of 20 ms");
    for (size_t bytes : {(size_t)4, 64 * KIB, 1 * MIB, 2 * MIB}) {
        std::string what = "cudaMemcpyAsync in, pageable, " + std::to_string(bytes) + " bytes";
        waits(what.c_str(), behind(s, [&] { CHECK(cudaMemcpyAsync(device, pageable, bytes, cudaMemcpyHostToDevice, s)); }),
              BUSY_US, false);
    }
    waits("cudaMemcpyAsync in, pageable, 16 MiB",
          behind(s, [] { CHECK(cudaMemcpyAsync(device, pageable, 16 * MIB, cudaMemcpyHostToDevice, s)); }), BUSY_US, true);
    for (size_t bytes : {(size_t)4, 16 * MIB})
        waits(("cudaMemcpyAsync out, pageable, " + std::to_string(bytes) + " bytes").c_str(),
              behind(s, [&] { CHECK(cudaMemcpyAsync(pageable, device, bytes, cudaMemcpyDeviceToHost, s)); }), BUSY_US, true);
    waits("cudaMemcpyAsync in, pinned, 16 MiB",
          behind(s, [] { CHECK(cudaMemcpyAsync(device, pinned, 16 * MIB, cudaMemcpyHostToDevice, s)); }), BUSY_US, false);
    waits("cudaMemcpyAsync out, pinned, 16 MiB",
          behind(s, [] { CHECK(cudaMemcpyAsync(pinned, device, 16 * MIB, cudaMemcpyDeviceToHost, s)); }), BUSY_US, false);
    waits("cudaMemcpyAsync host to host",
          behind(s, [] { CHECK(cudaMemcpyAsync(pageable2, pageable, MIB, cudaMemcpyHostToHost, s)); }), BUSY_US, true);
    waits("cudaMemcpy in, 4 bytes, another blocking stream busy",
          behind(blocking, [] { CHECK(cudaMemcpy(device, pinned, 4, cudaMemcpyHostToDevice)); }), BUSY_US, true);
    waits("cudaMemcpy in, 4 bytes, a non-blocking stream busy",
          behind(s, [] { CHECK(cudaMemcpy(device, pinned, 4, cudaMemcpyHostToDevice)); }), BUSY_US, false);
    waits("cudaMemcpy inside the device, a blocking stream busy",
          behind(blocking, [] { CHECK(cudaMemcpy(device2, device, MIB, cudaMemcpyDeviceToDevice)); }), BUSY_US, false);
    waits("cudaMemset of device memory, a blocking stream busy",
          behind(blocking, [] { CHECK(cudaMemset(device, 0, MIB)); }), BUSY_US, false);
    waits("cudaMemset of pinned memory, a blocking stream busy",
          behind(blocking, [] { CHECK(cudaMemset(pinned, 0, MIB)); }), BUSY_US, true);
    waits("cudaMemsetAsync of device memory",
          behind(s, [] { CHECK(cudaMemsetAsync(device, 0, MIB, s)); }), BUSY_US, false);
}

static void allocation()
{
    heading("Allocation while a non-blocking stream is busy for 20 ms");
    void *p = NULL, *early;
    cudaEvent_t e;
    cudaStream_t u;
    CHECK(cudaEventCreate(&e));
    waits("cudaMalloc", behind(s, [&] { CHECK(cudaMalloc(&p, MIB)); }), BUSY_US, false);
    waits("cudaFree", behind(s, [&] { CHECK(cudaFree(p)); }), BUSY_US, true);
    waits("cudaMallocHost", behind(s, [&] { CHECK(cudaMallocHost(&p, MIB)); }), BUSY_US, false);
    waits("cudaFreeHost", behind(s, [&] { CHECK(cudaFreeHost(p)); }), BUSY_US, true);
    waits("cudaHostRegister", behind(s, [&] { CHECK(cudaHostRegister(pageable2, MIB, 0)); }), BUSY_US, false);
    waits("cudaHostUnregister", behind(s, [&] { CHECK(cudaHostUnregister(pageable2)); }), BUSY_US, true);
    double begun = now_us();
    CHECK(cudaMallocAsync(&early, 8 * MIB, s));
    time_is("cudaMallocAsync, the first, which grows the pool", (now_us() - begun) / 1e3, 0.05, 20, "ms");
    waits("cudaMallocAsync", behind(s, [&] { CHECK(cudaMallocAsync(&p, MIB, s)); }), BUSY_US, false);
    waits("cudaFreeAsync", behind(s, [&] { CHECK(cudaFreeAsync(p, s)); }), BUSY_US, false);
    CHECK(cudaDeviceSynchronize());
    waits("cudaFree of pool memory", behind(t, [&] { CHECK(cudaFree(early)); }), BUSY_US, false);
    waits("cudaStreamCreate", behind(s, [&] { CHECK(cudaStreamCreate(&u)); }), BUSY_US, false);
    waits("cudaStreamDestroy of a busy stream", behind(u, [&] { CHECK(cudaStreamDestroy(u)); }), BUSY_US, false);
    waits("cudaEventDestroy of a pending event",
          behind(s, [&] { CHECK(cudaEventRecord(e, s)); CHECK(cudaEventDestroy(e)); }), BUSY_US, false);
    begun = now_us();
    CHECK(cudaMallocHost(&p, 64 * MIB));
    time_is("pinning, per MiB", (now_us() - begun) / 64e3, 0.1, 1, "ms");
    CHECK(cudaFreeHost(p));
}

static unsigned long long *stamps;    /* in pinned memory */
static double from_to(int a, int b) { return (double)(long long)(stamps[2 * b] - stamps[2 * a + 1]) / 1e3; }
static void CUDART_CB no_work(void *) {}

static void streams()
{
    heading("Streams: the default stream's barrier, priorities");
    cudaStream_t q1;
    CHECK(cudaStreamCreate(&q1));
    CHECK(cudaDeviceSynchronize());
    stamp<<<1, 1, 0, blocking>>>(stamps, 500000);
    stamp<<<1, 1>>>(stamps + 2, 300000);
    stamp<<<1, 1, 0, q1>>>(stamps + 4, 100000);
    stamp<<<1, 1, 0, s>>>(stamps + 6, 300000);
    CHECK(cudaDeviceSynchronize());
    is("the default stream waits for a blocking stream", from_to(0, 1) > 0, 1);
    is("a blocking stream waits for the default stream", from_to(1, 2) > 0, 1);
    is("a non-blocking stream does not", stamps[6] < stamps[1], 1);
    int low, high;
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    is("priorities, lowest", low, 0);
    card_is("priorities, highest", high, -5);
    cudaStream_t l, h;
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaStreamCreateWithPriority(&l, cudaStreamNonBlocking, low));
    CHECK(cudaStreamCreateWithPriority(&h, cudaStreamNonBlocking, high));
    // long enough for a host that is held up meanwhile
    stamp<<<p.multiProcessorCount * 32 * 100, 64, 0, l>>>(stamps, 300000);
    usleep(200);
    stamp<<<p.multiProcessorCount * 4, 64, 0, h>>>(stamps + 2, 100000);
    CHECK(cudaStreamSynchronize(h));
    is("a high priority gets in between the waves of a low one", cudaStreamQuery(l), cudaErrorNotReady);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(q1));
    CHECK(cudaStreamDestroy(l));
    CHECK(cudaStreamDestroy(h));
}

static void CUDART_CB long_work(void *) { usleep(10000); }
static int inside;
static void CUDART_CB allocates(void *) { void *p; inside = (int)cudaMalloc(&p, 16); }

static void functions()
{
    heading("Host functions");
    CHECK(cudaDeviceSynchronize());
    double begun = now_us();
    CHECK(cudaLaunchHostFunc(s, long_work, NULL));
    CHECK(cudaLaunchHostFunc(t, long_work, NULL));
    CHECK(cudaDeviceSynchronize());
    time_is("two functions of 10 ms in two streams: one after the other", (now_us() - begun) / 1e3, 20, 24, "ms");
    CHECK(cudaLaunchHostFunc(s, allocates, NULL));
    CHECK(cudaDeviceSynchronize());
    is("cudaMalloc in a host function", inside, cudaErrorNotPermitted);
    begun = now_us();
    for (int i = 0; i < 500; i++) CHECK(cudaLaunchHostFunc(s, no_work, NULL));
    CHECK(cudaDeviceSynchronize());
    time_is("empty functions back to back, each", (now_us() - begun) / 500, 0.5, 4, "us");
    std::vector<double> through;
    for (int i = 0; i < 9; i++) {
        stamp<<<1, 1, 0, s>>>(stamps, 200000);
        CHECK(cudaLaunchHostFunc(s, no_work, NULL));
        stamp<<<1, 1, 0, s>>>(stamps + 2, 1000);
        CHECK(cudaDeviceSynchronize());
        through.push_back(from_to(0, 1));
    }
    std::sort(through.begin(), through.end());
    time_is("from a kernel through an empty function to the next kernel", through[4], 40, 400, "us");
}

static float milliseconds(std::function<void()> work)
{
    cudaEvent_t a, b;
    float ms;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    CHECK(cudaDeviceSynchronize());
    spin<<<1, 1, 0, s>>>(100000);     // so that the host is ahead
    CHECK(cudaEventRecord(a, s));
    work();
    CHECK(cudaEventRecord(b, s));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventElapsedTime(&ms, a, b));
    CHECK(cudaEventDestroy(a));
    CHECK(cudaEventDestroy(b));
    return ms;
}

static void engines()
{
    heading("Engines and concurrency");
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    card_is("asyncEngineCount", p.asyncEngineCount, 3);
    cudaEvent_t done;
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    auto in = [] { CHECK(cudaMemcpyAsync(device, pinned, 64 * MIB, cudaMemcpyHostToDevice, s)); };
    auto beside = [&](cudaMemcpyKind kind) {
        if (kind == cudaMemcpyHostToDevice) CHECK(cudaMemcpyAsync(device2, pinned, 64 * MIB, kind, t));
        else CHECK(cudaMemcpyAsync(pinned + 64 * MIB, device2, 64 * MIB, kind, t));
        CHECK(cudaEventRecord(done, t));
        CHECK(cudaStreamWaitEvent(s, done, 0));
    };
    milliseconds(in);
    double alone = milliseconds(in), same = milliseconds([&] { in(); beside(cudaMemcpyHostToDevice); });
    double both = milliseconds([&] { in(); beside(cudaMemcpyDeviceToHost); });
    time_is("64 MiB in", 64 * (double)MIB / alone / 1e6, 40, 62, "GB/s");
    card_is("two copies in do not run at once", same > 1.8 * alone, 1);
    card_is("a copy in and a copy out do", both < 1.3 * alone, 1);
    time_is("... and last longer than alone by", 100 * (both / alone - 1), 3, 14, "%");
    time_is("256 MiB inside the device", 1e3 * milliseconds([] {
        CHECK(cudaMemcpyAsync(device2, device, 256 * MIB, cudaMemcpyDeviceToDevice, s)); }), 115, 150, "us");
    time_is("memset of 256 MiB", 1e3 * milliseconds([] { CHECK(cudaMemsetAsync(device, 0, 256 * MIB, s)); }), 55, 75, "us");

    enum { GRIDS = 200 };
    std::vector<cudaStream_t> many(GRIDS);
    for (auto &stream : many) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int i = 0; i < GRIDS; i++) stamp<<<1, 1, 0, many[i]>>>(stamps + 2 * i, 5000000);
    CHECK(cudaDeviceSynchronize());
    unsigned long long first_end = ~0ull;
    int at_once = 0;
    for (int i = 0; i < GRIDS; i++) first_end = std::min(first_end, stamps[2 * i + 1]);
    for (int i = 0; i < GRIDS; i++) at_once += stamps[2 * i] < first_end;
    card_is("kernels of one block at once, in 200 streams", at_once, 128);
    for (auto &stream : many) CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(done));

    stamp<<<1, 32, 0, s>>>(stamps, 100000);
    stamp<<<1, 32, 0, s>>>(stamps + 2, 1000);
    CHECK(cudaDeviceSynchronize());
    time_is("kernel to kernel in one stream", from_to(0, 1), 0.8, 5, "us");
    cudaEvent_t e;
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    stamp<<<1, 32, 0, s>>>(stamps, 100000);
    CHECK(cudaEventRecord(e, s));
    CHECK(cudaStreamWaitEvent(t, e, 0));
    stamp<<<1, 32, 0, t>>>(stamps + 2, 1000);
    CHECK(cudaDeviceSynchronize());
    time_is("kernel to kernel through an event", from_to(0, 1), 0.8, 5, "us");
    CHECK(cudaEventDestroy(e));
}

#define RESULT(expected, call) is(#call, (int)(call), expected), cudaGetLastError()
static void memory_errors()
{
    void *p, *q;
    RESULT(0, cudaFree(NULL));
    RESULT(0, cudaFreeHost(NULL));
    RESULT(0, cudaMalloc(&p, 0));
    RESULT(0, cudaMallocHost(&p, 0));
    RESULT(0, cudaMallocAsync(&p, 0, s));
    RESULT(0, cudaFreeAsync(NULL, s));
    RESULT(1, cudaMalloc((void **)NULL, 16));
    CHECK(cudaMalloc(&p, 4096));
    CHECK(cudaMallocHost(&q, 4096));
    RESULT(1, cudaFree((char *)p + 256));
    RESULT(1, cudaFreeHost(p));
    RESULT(1, cudaFree(q));
    RESULT(1, cudaMemcpy(p, q, 1 << 30, cudaMemcpyHostToDevice));
    RESULT(21, cudaMemcpy(p, q, 16, (cudaMemcpyKind)9));
    RESULT(1, cudaMemcpy(pageable, p, 16, cudaMemcpyHostToDevice));
    RESULT(0, cudaMemcpy(q, p, 16, cudaMemcpyHostToDevice));
    RESULT(0, cudaMemcpy(p, q, 16, cudaMemcpyDefault));
    RESULT(0, cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    RESULT(0, cudaMemset(q, 0, 16));
    RESULT(1, cudaMemset(pageable, 0, 16));
    CHECK(cudaFree(p));
    RESULT(1, cudaFree(p));
    CHECK(cudaFreeHost(q));
    RESULT(2, cudaMalloc(&p, (size_t)1 << 50));
}

static void device_errors()
{
    cudaStream_t u;
    cudaDeviceProp prop;
    RESULT(101, cudaSetDevice(99));
    RESULT(101, cudaGetDeviceProperties(&prop, 99));
    RESULT(1, cudaStreamCreateWithFlags(&u, 99));
    CHECK(cudaHostRegister(pageable, MIB, 0));
    RESULT(712, cudaHostRegister(pageable, MIB, 0));
    CHECK(cudaHostUnregister(pageable));
    RESULT(713, cudaHostUnregister(pageable));
    RESULT(1, cudaHostUnregister(NULL));
}

static void launch_errors()
{
    spin<<<0, 1>>>(0);
    is("a launch of no block", (int)cudaGetLastError(), 1);
    spin<<<1, 2048>>>(0);
    is("a launch of 2048 threads", (int)cudaGetLastError(), 1);
    spin<<<1, dim3(1, 1, 65)>>>(0);
    is("a launch of 65 threads in z", (int)cudaGetLastError(), 1);
    spin<<<dim3(1, 65536), 1>>>(0);
    is("a launch of 65536 blocks in y", (int)cudaGetLastError(), 1);
}

static void event_errors()
{
    float ms;
    cudaEvent_t never, untimed;
    CHECK(cudaEventCreate(&never));
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    CHECK(cudaEventRecord(untimed, s));
    CHECK(cudaDeviceSynchronize());
    RESULT(0, cudaEventQuery(never));
    RESULT(400, cudaEventElapsedTime(&ms, never, never));
    RESULT(400, cudaEventElapsedTime(&ms, untimed, untimed));
    RESULT(1, cudaEventElapsedTime(NULL, never, never));
    spin<<<1, 1, 0, s>>>(2000000);
    RESULT(600, cudaStreamQuery(s));
    is("and it leaves no error", (int)cudaGetLastError(), 0);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventDestroy(never));
    CHECK(cudaEventDestroy(untimed));
}

static void errors()
{
    heading("Errors");
    memory_errors();
    device_errors();
    launch_errors();
    event_errors();

    cudaPointerAttributes about;
    CHECK(cudaPointerGetAttributes(&about, pageable));
    is("kind of pageable memory", about.type, 0);
    CHECK(cudaPointerGetAttributes(&about, pinned));
    is("kind of pinned memory", about.type, 1);
    CHECK(cudaPointerGetAttributes(&about, device));
    is("kind of device memory", about.type, 2);
}

static void costs()
{
    heading("What a call costs the calling thread");
    cudaEvent_t e, untimed;
    void *p;
    CHECK(cudaEventCreate(&e));
    CHECK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    time_is("launch", each(100, [] { spin<<<1, 1, 0, s>>>(0); }), 2, 5, "us");
    time_is("cudaMemcpyAsync of 4 bytes", each(50, [] { CHECK(cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, s)); }), 0.8, 2.5, "us");
    time_is("cudaMemcpyAsync of 64 KiB", each(50, [] { CHECK(cudaMemcpyAsync(device, pinned, 64 * KIB, cudaMemcpyHostToDevice, s)); }), 0.8, 2.5, "us");
    time_is("cudaMemsetAsync of 4 bytes", each(50, [] { CHECK(cudaMemsetAsync(device, 0, 4, s)); }), 0.5, 1.2, "us");
    time_is("cudaMemsetAsync of 64 KiB", each(50, [] { CHECK(cudaMemsetAsync(device, 0, 64 * KIB, s)); }), 0.5, 5, "us");
    time_is("cudaEventRecord, no timing", each(100, [&] { CHECK(cudaEventRecord(untimed, s)); }), 0.05, 0.3, "us");
    time_is("cudaEventRecord, timing", each(100, [&] { CHECK(cudaEventRecord(e, s)); }), 0.05, 1.5, "us");
    time_is("cudaStreamWaitEvent", each(100, [&] { CHECK(cudaStreamWaitEvent(t, e, 0)); }), 0.05, 0.3, "us");
    time_is("cudaEventQuery", each(100, [&] { cudaEventQuery(e); }), 0.05, 0.3, "us");
    time_is("cudaStreamQuery", each(100, [] { cudaStreamQuery(s); }), 0.08, 0.4, "us");
    time_is("cudaStreamSynchronize, idle", each(100, [] { CHECK(cudaStreamSynchronize(s)); }), 0.08, 0.4, "us");
    time_is("cudaDeviceSynchronize, idle", each(100, [] { CHECK(cudaDeviceSynchronize()); }), 0.15, 0.7, "us");
    time_is("cudaLaunchHostFunc", each(20, [] { CHECK(cudaLaunchHostFunc(s, no_work, NULL)); }), 0.8, 4, "us");
    time_is("cudaMallocAsync and cudaFreeAsync", each(50, [&] { CHECK(cudaMallocAsync(&p, MIB, s)); CHECK(cudaFreeAsync(p, s)); }), 0.3, 2, "us");
    time_is("cudaStreamCreate and cudaStreamDestroy", each(8, [] { cudaStream_t u; CHECK(cudaStreamCreate(&u)); CHECK(cudaStreamDestroy(u)); }), 1, 10, "us");
    time_is("cudaMalloc and cudaFree of 1 MiB", each(4, [&] { CHECK(cudaMalloc(&p, MIB)); CHECK(cudaFree(p)); }), 1, 200, "us");
    time_is("cudaMallocHost and cudaFreeHost of 1 MiB", each(4, [&] { CHECK(cudaMallocHost(&p, MIB)); CHECK(cudaFreeHost(p)); }), 1, 1000, "us");
}

int main()
{
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    int driver;
    CHECK(cudaDriverGetVersion(&driver));
    is_h200 = strstr(p.name, "H200") != NULL;
    printf("%s, driver for CUDA %d.%d; %s\n", p.name, driver / 1000, driver % 1000 / 10,
           is_h200 ? "expected: what was seen on an NVIDIA H200"
                   : "this card is no H200: what is a matter of the card is shown beside an H200's, and counts for nothing");
    CHECK(cudaMalloc(&device, 256 * MIB));
    CHECK(cudaMalloc(&device2, 256 * MIB));
    CHECK(cudaMallocHost(&pinned, 128 * MIB));
    CHECK(cudaMallocHost(&stamps, 4096));
    pageable = (char *)malloc(16 * MIB);
    pageable2 = (char *)malloc(16 * MIB);
    memset(pinned, 1, 128 * MIB);
    memset(pageable, 1, 16 * MIB);
    memset(pageable2, 1, 16 * MIB);
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CHECK(cudaStreamCreate(&blocking));
    spin<<<1, 1>>>(1000);
    stamp<<<1, 1>>>(stamps, 1000);
    CHECK(cudaMemcpy(device, pageable, 16 * MIB, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(pageable, device, 16 * MIB, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(device, 0, MIB));
    CHECK(cudaDeviceSynchronize());
    who_waits();
    allocation();
    streams();
    functions();
    engines();
    errors();
    costs();
    CHECK(cudaDeviceSynchronize());
    printf("\n%d difference%s in kind, %d time%s outside what was seen before\n", kinds, kinds == 1 ? "" : "s", times,
           times == 1 ? "" : "s");
    return kinds != 0;
}
