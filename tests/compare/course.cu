// course PLAN [NUMBER] - programs as exercises 46 to 50 ask for them, with batches of 16 MiB and kernels of 100 us and
// more. Without arguments each plan runs ten times, and the program prints how long it took (us, by the host's clock).
#include "compare.h"
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

enum { STREAMS = 16 };
static const size_t batch = 16 * MIB;
static const long long us = 1000, stage = 300 * us;

static char *host, *device;
static cudaStream_t s[STREAMS], urgent, background;
static cudaEvent_t events[64];
static int sms;

static void in(int k, cudaStream_t stream, size_t bytes = batch)
{
    CHECK(cudaMemcpyAsync(device + k * batch, host + k * batch, bytes, cudaMemcpyHostToDevice, stream));
}
static void out(int k, cudaStream_t stream, size_t bytes = batch)
{
    CHECK(cudaMemcpyAsync(host + k * batch, device + k * batch, bytes, cudaMemcpyDeviceToHost, stream));
}
static void compute(cudaStream_t stream, long long ns = stage) { spin<<<16, 128, 0, stream>>>(ns); }
static void edge(int event, cudaStream_t from, cudaStream_t to)
{
    CHECK(cudaEventRecord(events[event], from));
    CHECK(cudaStreamWaitEvent(to, events[event], 0));
}

// ---- 46: a stray kernel in stream 0; default streams of host threads

static void trap(cudaStream_t stray)
{
    for (int i = 0; i < 4; i++) {
        in(i, s[i]);
        compute(s[i]);
        out(i, s[i]);
        compute(stray, 100 * us);
    }
}

// Own streams that are non-blocking, and one beat that a batch needs.
static void trap_events()
{
    for (int i = 0; i < 4; i++) {
        in(i, s[8 + i]);
        compute(s[8 + i]);
        out(i, s[8 + i]);
        if (i == 1) edge(0, s[8], cudaStreamLegacy);
        compute(cudaStreamLegacy, 100 * us);
    }
}

static void worker(cudaStream_t stream, long long ns)
{
    for (int i = 0; i < 3; i++) compute(stream, ns);
    CHECK(cudaStreamSynchronize(stream));
}
static void threads(cudaStream_t stream, long long ns)
{
    std::thread a(worker, stream, ns), b(worker, stream, ns);
    a.join();
    b.join();
}

// ---- 47: scratch for six requests

static void requests(bool ordered)
{
    void *scratch;
    for (int i = 0; i < 6; i++) {
        cudaStream_t stream = s[i % 3];
        if (ordered) CHECK(cudaMallocAsync(&scratch, batch, stream));
        else CHECK(cudaMalloc(&scratch, batch));
        CHECK(cudaMemcpyAsync(scratch, host + i * batch, batch, cudaMemcpyHostToDevice, stream));
        compute(stream);
        CHECK(cudaMemcpyAsync(host + i * batch, scratch, batch, cudaMemcpyDeviceToHost, stream));
        if (ordered) CHECK(cudaFreeAsync(scratch, stream));
        else CHECK(cudaFree(scratch));
    }
}

// ---- 48: a graph of events

static void graph(const char *how)
{
    enum { A, B, C, D };
    const long long ns = 200 * us;
    bool late = !strcmp(how, "late"), waits = !strcmp(how, "host");
    auto chain = [&](int stream, int n) { for (int i = 0; i < n; i++) compute(s[stream], ns); };
    if (waits) {
        chain(A, 3); CHECK(cudaStreamSynchronize(s[A]));
        chain(B, 3); CHECK(cudaStreamSynchronize(s[B]));
        chain(C, 4); chain(D, 2);
        return;
    }
    chain(A, 1);
    if (!late) edge(0, s[A], s[B]);
    chain(A, 2);
    if (late) edge(0, s[A], s[B]);
    chain(B, 2);
    edge(1, s[B], s[D]);
    chain(B, 1);
    chain(C, 4);
    chain(D, 2);
}

// ---- 49: the order of issue, and chunks

static void issue(bool breadth, int chains, long long ns)
{
    if (breadth) for (int k = 0; k < 2; k++) for (int i = 0; i < chains; i++) compute(s[i], ns);
    else for (int i = 0; i < chains; i++) for (int k = 0; k < 2; k++) compute(s[i], ns);
}

static void chunks(int n)
{
    const size_t all = 256 * MIB, each = all / n;
    for (int i = 0; i < n; i++) {
        cudaStream_t stream = s[i % 4];
        CHECK(cudaMemcpyAsync(device + i * each, host + i * each, each, cudaMemcpyHostToDevice, stream));
        launch_scale(device + i * each, each, stream);
        compute(stream, (long long)(each / 60));
        CHECK(cudaMemcpyAsync(host + i * each, device + i * each, each, cudaMemcpyDeviceToHost, stream));
    }
}

// ---- 50: a memset is a kernel's neighbour

static void CUDART_CB no_work(void *) {}
static void memsets(const char *how)
{
    const size_t results = 64 * MIB;
    int full = 2 * sms, rooms = full - 32;
    bool room = strcmp(how, "full") != 0, beside = !strcmp(how, "beside");
    if (beside) for (int k = 0; k < 2; k++) CHECK(cudaMemsetAsync(device + (8 + 4 * k) * batch, 0, results, s[k]));
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < 2; k++) {
            in(k, s[k]);
            if (!beside) CHECK(cudaMemsetAsync(device + (8 + 4 * k) * batch, 0, results, s[k]));
            if (beside && round) CHECK(cudaStreamWaitEvent(s[k], events[8 + k], 0));
            spin<<<room ? rooms : full, 1024, 0, s[k]>>>(stage);
            out(k, s[k]);
            if (beside && !round) {
                edge(k, s[k], s[2 + k]);
                CHECK(cudaMemsetAsync(device + (8 + 4 * k) * batch, 0, results, s[2 + k]));
                CHECK(cudaEventRecord(events[8 + k], s[2 + k]));
            }
            CHECK(cudaLaunchHostFunc(s[k], no_work, NULL));
        }
    }
}

// ---- priorities: five requests in turn beside a kernel of many waves

static void priorities(cudaStream_t stream, int waves, long long wave_ns)
{
    spin<<<2 * sms * waves, 1024, 0, background>>>(wave_ns);
    for (int i = 0; i < 5; i++) {
        in(0, stream, 64 * KIB);
        spin<<<16, 1024, 0, stream>>>(50 * us);
        out(0, stream, 64 * KIB);
        CHECK(cudaStreamSynchronize(stream));
    }
}

struct Plan {
    const char *name;
    std::function<void(int)> work;
};
static const Plan plans[] = {
    {"trap", [](int) { trap(0); }},
    {"trap-stream", [](int) { trap(s[4]); }},
    {"trap-events", [](int) { trap_events(); }},
    {"threads-legacy", [](int n) { threads(cudaStreamLegacy, (n ? n : 300) * us); }},
    {"threads-own", [](int n) { threads(cudaStreamPerThread, (n ? n : 300) * us); }},
    {"requests-malloc", [](int) { requests(false); }},
    {"requests-pool", [](int) { requests(true); }},
    {"graph-events", [](int) { graph("events"); }},
    {"graph-late", [](int) { graph("late"); }},
    {"graph-host", [](int) { graph("host"); }},
    {"issue-depth", [](int n) { issue(false, n ? n : 3, 200 * us); }},
    {"issue-breadth", [](int n) { issue(true, n ? n : 3, 200 * us); }},
    {"chunks", [](int n) { chunks(n ? n : 8); }},
    {"memset-full", [](int) { memsets("full"); }},
    {"memset-room", [](int) { memsets("room"); }},
    {"memset-beside", [](int) { memsets("beside"); }},
    {"priority-none", [](int n) { priorities(s[8], n ? n : 10, 100 * us); }},
    {"priority-high", [](int n) { priorities(urgent, n ? n : 10, 100 * us); }},
};

static void start(bool one_queue)
{
    if (one_queue) setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1);
    int low, high;
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaMallocHost(&host, 256 * MIB));
    CHECK(cudaMalloc(&device, 256 * MIB));
    for (int i = 0; i < STREAMS; i++) CHECK(cudaStreamCreateWithFlags(&s[i], i < 8 ? cudaStreamDefault : cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&background, cudaStreamNonBlocking, low));
    CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, high));
    for (auto &event : events) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    cudaMemPool_t pool;
    unsigned long long most = ~0ull;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
}

// All of them, each plan in a process of its own (the queues are a process's).
static int all(const char *self)
{
    static const char *const wanted[] = {
        "trap", "trap-stream", "trap-events", "threads-legacy", "threads-own", "threads-own 100", "requests-malloc",
        "requests-pool", "graph-events", "graph-late", "graph-host", "issue-depth", "issue-breadth", "issue-depth 6",
        "issue-breadth 6", "chunks 1", "chunks 2", "chunks 4", "chunks 8", "chunks 16", "chunks 32", "chunks 64",
        "memset-full", "memset-room", "memset-beside", "priority-none", "priority-high", "priority-high 30"};
    for (const char *plan : wanted) {
        fflush(stdout);
        if (system((std::string(self) + " " + plan + " times").c_str())) printf("%s failed\n", plan);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) return all(argv[0]);
    bool times = !strcmp(argv[argc - 1], "times");
    int number = argc - times > 2 ? atoi(argv[2]) : 0;
    for (const Plan &plan : plans) {
        if (strcmp(argv[1], plan.name)) continue;
        start(!strncmp(plan.name, "issue", 5));
        if (!times) {
            measure([&] { plan.work(number); });
            return 0;
        }
        printf("%-16s %3d ", plan.name, number);
        for (int i = 0; i < 11; i++) {
            auto begun = std::chrono::steady_clock::now();
            plan.work(number);
            CHECK(cudaDeviceSynchronize());
            std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begun;
            if (i) printf(" %8.1f", took.count());
        }
        printf("\n");
        return 0;
    }
    fprintf(stderr, "no plan %s\n", argv[1]);
    return 2;
}
