// probe.cu - what `threelane calibrate` runs on the card. Built with nvcc on first use.
//
//   probe properties    what the card says of itself: key = value
//   probe costs         what calls cost the thread that makes them, by the host's clock: key = value, in nanoseconds
//   probe graphs        the same of graphs
//   probe memory        the host's memory: pages that nobody has touched, what is copied again and again, kernels that
//                       reach for it over the bus
//   probe-first         what first launches cost; built of this file with -DFIRST_LAUNCHES, since what the first of a
//                       program costs grows with its kernels
//   probe timeline      work for the tracer to record, in NVTX ranges; gpu/calibration.c reads the times off the trace
//
// Everything is done once before it is measured: first launches and first copies are slower than all that follow.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <pthread.h>
#include <vector>
#include <unistd.h>
#include <sys/mman.h>
#include <cooperative_groups.h>
#include <nvtx3/nvToolsExt.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#define CHECK(call)                                                                                        \
    do {                                                                                                   \
        cudaError_t error_ = (call);                                                                       \
        if (error_ != cudaSuccess) {                                                                       \
            fprintf(stderr, "probe: %s: %s\n", #call, cudaGetErrorString(error_));                         \
            exit(1);                                                                                       \
        }                                                                                                  \
    } while (0)

static const size_t KIB = 1024, MIB = 1024 * KIB;

static long long now_ns()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long median(std::vector<long long> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

static void say(const char *key, long long value) { printf("%s = %lld\n", key, value); }

#ifdef FIRST_LAUNCHES
template <int N> __global__ void scale(float *p, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) p[i] = p[i] * N + N;
}
template <int N> static long long launch(float *p)
{
    long long begun = now_ns();
    scale<N><<<4, 256>>>(p, 1024);
    long long took = now_ns() - begun;
    CHECK(cudaDeviceSynchronize());
    return took;
}

/* The first call of each function, less the second: the median. None of them waits. */
template <class Call> static long long first_of(Call call)
{
    long long begun = now_ns();
    call();
    long long between = now_ns();
    call();
    long long ended = now_ns();
    return (between - begun) - (ended - between);
}
static void first_calls(char *device)
{
    char *pinned;
    cudaStream_t s;
    cudaEvent_t e;
    CHECK(cudaMallocHost(&pinned, 4 * KIB));
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&e));
    CHECK(cudaDeviceSynchronize());
    std::vector<long long> took = {
        first_of([&] { CHECK(cudaEventRecord(e, s)); }),
        first_of([&] { CHECK(cudaMemcpyAsync(device, pinned, 4 * KIB, cudaMemcpyHostToDevice, s)); }),
        first_of([&] { CHECK(cudaMemsetAsync(device, 0, 4 * KIB, s)); }),
        first_of([&] { CHECK(cudaStreamWaitEvent(s, e, 0)); }),
        first_of([&] { cudaStreamQuery(s); }),
        first_of([&] { CHECK(cudaMemcpyAsync(device, device + 8 * KIB, 4 * KIB, cudaMemcpyDeviceToDevice, s)); })};
    CHECK(cudaDeviceSynchronize());
    say("call_first", std::max(median(took), 0LL));
}

int main()
{
    float *p;
    CHECK(cudaMalloc(&p, MIB));
    first_calls((char *)p);
    CHECK(cudaDeviceSynchronize());
    long long program = launch<1>(p), again = launch<1>(p);
    std::vector<long long> first = {launch<2>(p), launch<3>(p), launch<4>(p)}, second;
    for (int i = 0; i < 3; i++) second.push_back(launch<1>(p));
    again = median(second) < again ? median(second) : again;
    say("launch_load", median(first) > again ? median(first) - again : 0);
    say("launch_first", program > median(first) ? program - median(first) : 0);
    return 0;
}
#else

__global__ void spin(long long ns)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}
__global__ void nothing() {}
__global__ void add(float *p, size_t n)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1;
}
static void CUDART_CB no_work(void *) {}
static void settle() { CHECK(cudaDeviceSynchronize()); }

/* ---- properties ---- */

static int attribute(cudaDeviceAttr which)
{
    int value = 0, device = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

static void properties()
{
    cudaDeviceProp p;
    int device = 0, low = 0, high = 0, driver = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&p, device));
    CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CHECK(cudaDriverGetVersion(&driver));
    printf("card = %s\n", p.name);
    say("driver", driver);
    say("sm_clock_khz", attribute(cudaDevAttrClockRate));
    say("sm_count", p.multiProcessorCount);
    say("warp_size", p.warpSize);
    say("major", p.major);
    say("minor", p.minor);
    say("max_threads_per_block", p.maxThreadsPerBlock);
    say("max_threads_per_sm", p.maxThreadsPerMultiProcessor);
    say("max_blocks_per_sm", attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
    say("registers_per_sm", attribute(cudaDevAttrMaxRegistersPerMultiprocessor));
    say("shared_per_block", (long long)p.sharedMemPerBlock);
    say("shared_per_block_optin", attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    say("shared_per_sm", attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    say("constant_bytes", (long long)p.totalConstMem);
    say("memory_bytes", (long long)p.totalGlobalMem);
    say("memory_bus_bits", attribute(cudaDevAttrGlobalMemoryBusWidth));
    say("memory_clock_khz", attribute(cudaDevAttrMemoryClockRate));
    say("l2_bytes", attribute(cudaDevAttrL2CacheSize));
    say("async_engine_count", p.asyncEngineCount);
    say("pci_bus", attribute(cudaDevAttrPciBusId));
    say("priority_low", low);
    say("priority_high", high);
    nothing<<<1, 2048>>>();
    say("invalid_configuration_code", (int)cudaGetLastError());
}

/* ---- costs ---- */

/* The median over rounds of what one of `calls` calls in a row costs; the device is idle before each round. */
template <class Call> static long long each(int rounds, int calls, Call call)
{
    std::vector<long long> times;
    for (int round = -1; round < rounds; round++) {
        CHECK(cudaDeviceSynchronize());
        long long begun = now_ns();
        for (int i = 0; i < calls; i++) call(i);
        long long took = now_ns() - begun;
        if (round >= 0) times.push_back(took / calls);
    }
    CHECK(cudaDeviceSynchronize());
    return median(times);
}

struct ThreadTimes {
    cudaStream_t stream;
    long long began, first, second, ended;
};
static void *make_calls(void *arg)
{
    ThreadTimes *t = (ThreadTimes *)arg;
    t->began = now_ns();
    spin<<<1, 1, 0, t->stream>>>(0);
    t->first = now_ns();
    spin<<<1, 1, 0, t->stream>>>(0);
    t->second = now_ns();
    CHECK(cudaStreamSynchronize(t->stream));
    t->ended = now_ns();
    return NULL;
}

/* Threads that make CUDA calls, one after the other: medians. */
static void threads(cudaStream_t stream)
{
    std::vector<long long> create, start, join, first;
    for (int i = 0; i < 13; i++) {
        ThreadTimes t = {stream, 0, 0, 0, 0};
        pthread_t thread;
        long long begun = now_ns();
        if (pthread_create(&thread, NULL, make_calls, &t)) return;
        long long created = now_ns();
        pthread_join(thread, NULL);
        long long joined = now_ns();
        if (!i) continue;
        create.push_back(created - begun);
        start.push_back(t.began - begun);
        join.push_back(joined - t.ended);
        first.push_back((t.first - t.began) - (t.second - t.first));
    }
    say("thread_create", median(create));
    say("thread_start", median(start));
    say("thread_join", median(join));
    say("thread_first_call", median(first));
}

/* What growing costs a pool that has nothing: the first time at all, and 1 GiB. */
static void pools(cudaStream_t stream)
{
    void *small = NULL, *large = NULL;
    long long begun = now_ns();
    if (cudaMallocAsync(&small, MIB, stream) != cudaSuccess) { (void)cudaGetLastError(); return; }
    long long first = now_ns() - begun;
    begun = now_ns();
    if (cudaMallocAsync(&large, 1024 * MIB, stream) != cudaSuccess) (void)cudaGetLastError();
    long long grown = now_ns() - begun;
    say("pool_first", first);
    if (large) say("pool_grow_1024_mib", grown);
    CHECK(cudaFreeAsync(small, stream));
    if (large) CHECK(cudaFreeAsync(large, stream));
    CHECK(cudaStreamSynchronize(stream));
}

/* A chain of kernels as a graph; *captured: what a call costs that is only captured. */
static cudaGraph_t chain_of(int n, long long cycles, cudaStream_t stream, long long *captured)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    long long begun = now_ns();
    for (int i = 0; i < n; i++) spin<<<1, 1, 0, stream>>>(cycles);
    *captured = (now_ns() - begun) / n;
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}

/* How long its next launch takes the host, on an idle device. */
static long long one_launch(cudaGraphExec_t exec, cudaStream_t stream)
{
    CHECK(cudaDeviceSynchronize());
    long long begun = now_ns();
    CHECK(cudaGraphLaunch(exec, stream));
    return now_ns() - begun;
}

#if CUDART_VERSION >= 13000
/* ---- conditional nodes, by the clock of the device: a tracer makes what they run begin later ---- */

static __device__ unsigned long long stamps[64];
static __device__ int n_stamps, rounds_left;
static __global__ void clear_stamps(int rounds)
{
    n_stamps = 0;
    rounds_left = rounds;
}
static __global__ void stamped(cudaGraphConditionalHandle handle, int decides)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    if (decides) cudaGraphSetConditional(handle, --rounds_left > 0);
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - begun < 20000);
    if (n_stamps + 2 <= 64) {
        stamps[n_stamps++] = begun;
        stamps[n_stamps++] = now;
    }
}

static cudaGraphNode_t stamped_node(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle,
                                    int decides)
{
    void *arguments[] = {&handle, &decides};
    cudaKernelNodeParams params = {};
    cudaGraphNode_t node;
    params.func = (void *)stamped;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, after ? &after : NULL, after ? 1 : 0, &params));
    return node;
}

/* Two kernels, a loop whose body is one kernel, a kernel. Between which of them which time lies: kernels of a graph, into
 * the body, from one round to the next, and out of it. */
static void conditions(cudaStream_t stream)
{
    enum { ROUNDS = 4, TIMES = 9, KERNELS = ROUNDS + 3 };
    std::vector<long long> none, enter, again, after;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    cudaGraphNodeParams loop = {};
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNode_t node = stamped_node(graph, stamped_node(graph, NULL, handle, 0), handle, 0), decided;
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    CHECK(cudaGraphAddNode(&decided, graph, &node, NULL, 1, &loop));
    stamped_node(loop.conditional.phGraph_out[0], NULL, handle, 1);
    stamped_node(graph, decided, handle, 0);
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < TIMES; i++) {
        unsigned long long at[2 * KERNELS];
        clear_stamps<<<1, 1, 0, stream>>>(ROUNDS);
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpyFromSymbol(at, stamps, sizeof at));
        if (!i) continue;
        for (int k = 1; k < KERNELS; k++) {
            std::vector<long long> &of = k == 1 ? none : k == 2 ? enter : k == KERNELS - 1 ? after : again;
            of.push_back((long long)(at[2 * k] - at[2 * k - 1]));
        }
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    say("condition_none", median(none));
    say("condition_enter", median(enter));
    say("condition_again", median(again));
    say("condition_after", median(after));
}
#else
static void conditions(cudaStream_t) {} /* nodes of later toolkits */
#endif

/* What graphs of ten and of 60 kernels cost, and of 20 copies: what is theirs, and what each node's. In a process of
 * its own: under the tracer, graphs have made a driver fail. */
static void graphs()
{
    static const struct { int nodes; const char *instantiate, *first, *launch; } sizes[] = {
        {10, "graph_instantiate_10", "graph_first_10", "graph_launch_10"},
        {60, "graph_instantiate_60", "graph_first_60", "graph_launch_60"}};
    enum { TIMES = 7, COPIES = 20 };
    cudaStream_t stream;
    long long captured = 0;
    void *device, *pinned;
    CHECK(cudaMalloc(&device, MIB));
    CHECK(cudaMallocHost(&pinned, MIB));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    spin<<<1, 1, 0, stream>>>(1000);
    CHECK(cudaMemcpyAsync(device, pinned, 4 * KIB, cudaMemcpyHostToDevice, stream));
    for (int warm = 1; warm >= 0; warm--)
        for (auto &size : sizes) {
            cudaGraph_t graph = chain_of(size.nodes, 0, stream, &captured);
            std::vector<long long> instantiate, first, launch;
            for (int i = 0; i < TIMES; i++) {
                cudaGraphExec_t exec;
                CHECK(cudaDeviceSynchronize());
                long long begun = now_ns();
                CHECK(cudaGraphInstantiate(&exec, graph, 0));
                instantiate.push_back(now_ns() - begun);
                first.push_back(one_launch(exec, stream));
                for (int k = 0; k < 5; k++) launch.push_back(one_launch(exec, stream));
                CHECK(cudaDeviceSynchronize());
                CHECK(cudaGraphExecDestroy(exec));
            }
            CHECK(cudaGraphDestroy(graph));
            if (warm) continue;
            say(size.instantiate, median(instantiate));
            say(size.first, median(first));
            say(size.launch, median(launch));
        }
    say("graph_capture", captured);

    cudaGraph_t graph;
    cudaGraphExec_t exec;
    std::vector<long long> launch;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < COPIES; i++) {
        bool in = i % 2;
        CHECK(cudaMemcpyAsync(in ? device : pinned, in ? pinned : device, 4 * KIB,
                              in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 4 * TIMES; i++) launch.push_back(one_launch(exec, stream));
    CHECK(cudaDeviceSynchronize());
    say("graph_launch_20_copies", median(launch));
    conditions(stream);
}

/* ---- several devices: what lies between the first two of them ---- */

typedef struct Pair {
    char *memory[2];
    cudaStream_t s[2], t[2];
    cudaEvent_t e[2];
} Pair;

static int device_count()
{
    int n = 0;
    CHECK(cudaGetDeviceCount(&n));
    return n;
}

static void settle_both()
{
    for (int i = 1; i >= 0; i--) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaDeviceSynchronize());
    }
}

/* Leaves device 0 current, as everything here does. */
static Pair pair_of(size_t bytes)
{
    Pair p = {};
    for (int i = 1; i >= 0; i--) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&p.memory[i], 2 * bytes));
        CHECK(cudaStreamCreateWithFlags(&p.s[i], cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&p.t[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&p.e[i], cudaEventDisableTiming));
        for (int k = 0; k < 3; k++) spin<<<1, 1, 0, p.s[i]>>>(1000);
        nothing<<<1, 1, 0, p.s[i]>>>();
        CHECK(cudaMemsetAsync(p.memory[i], 0, 2 * bytes, p.s[i]));
        settle();
    }
    return p;
}

static bool allow(bool yes)
{
    int can[2] = {0, 0};
    CHECK(cudaDeviceCanAccessPeer(&can[0], 0, 1));
    CHECK(cudaDeviceCanAccessPeer(&can[1], 1, 0));
    if (!can[0] || !can[1]) return false;
    for (int i = 1; i >= 0; i--) {
        CHECK(cudaSetDevice(i));
        CHECK(yes ? cudaDeviceEnablePeerAccess(1 - i, 0) : cudaDeviceDisablePeerAccess(1 - i));
    }
    return true;
}

static void copy_across(const Pair &p, int from, size_t bytes, cudaStream_t stream)
{
    CHECK(cudaMemcpyPeerAsync(p.memory[1 - from] + (from ? 256 * MIB : 0), 1 - from,
                              p.memory[from] + (from ? 256 * MIB : 0), from, bytes, stream));
}

static void by_size(const char *name, const Pair &p, size_t least, cudaStream_t stream)
{
    nvtxRangePushA(name);
    for (size_t bytes = least; bytes <= 256 * MIB; bytes *= 4)
        for (int i = 0; i < 5; i++) {
            copy_across(p, 0, bytes, stream);
            settle_both();
        }
    nvtxRangePop();
}

/* Kernels and copies in one stream of device `at`, all issued while the first kernel runs. */
static void chain_across(const char *name, const Pair &p, int at)
{
    nvtxRangePushA(name);
    for (size_t bytes = 64 * KIB; bytes <= 16 * MIB; bytes *= 16)
        for (int round = 0; round < 4; round++) {
            CHECK(cudaSetDevice(at));
            spin<<<1, 1, 0, p.s[at]>>>(400000);
            for (int i = 0; i < 3; i++) {
                spin<<<1, 1, 0, p.s[at]>>>(10000);
                copy_across(p, 0, bytes, p.s[at]);
                copy_across(p, 0, bytes, p.s[at]);
                spin<<<1, 1, 0, p.s[at]>>>(10000);
            }
            settle_both();
        }
    nvtxRangePop();
}

/* Work of one stream, and what waits for its event in one of another device. */
static void events_across(const Pair &p)
{
    static const char *const names[] = {"peer event kernel kernel", "peer event copy kernel", "peer event pulled kernel",
                                        "peer event kernel pull", "peer event copy copy"};
    for (int what = 0; what < 5; what++) {
        nvtxRangePushA(names[what]);
        for (int i = 0; i < 8; i++) {
            int from = what == 2 ? 1 : 0, to = what == 2 ? 0 : 1;    /* whose event, and who waits */
            CHECK(cudaSetDevice(from));
            spin<<<1, 1, 0, p.s[from]>>>(150000);
            if (what == 1 || what == 4) copy_across(p, 0, MIB, p.s[0]);
            if (what == 2) copy_across(p, 0, MIB, p.s[1]);
            CHECK(cudaEventRecord(p.e[from], p.s[from]));
            CHECK(cudaSetDevice(to));
            CHECK(cudaStreamWaitEvent(p.t[to], p.e[from], 0));
            if (what == 3) copy_across(p, 0, MIB, p.t[1]);
            else if (what == 4) copy_across(p, 1, MIB, p.t[1]);
            else spin<<<1, 1, 0, p.t[to]>>>(10000);
            settle_both();
        }
        nvtxRangePop();
    }
}

static void beside_across(const Pair &p)
{
    nvtxRangePushA("peer both ways");
    for (int i = 0; i < 4; i++) {
        copy_across(p, 0, 64 * MIB, p.s[0]);
        copy_across(p, 1, 64 * MIB, p.s[1]);
    }
    settle_both();
    nvtxRangePop();
    nvtxRangePushA("peer same way");
    for (int i = 0; i < 4; i++) copy_across(p, 0, 16 * MIB, i % 2 ? p.s[0] : p.t[0]);
    settle_both();
    for (int i = 0; i < 4; i++) copy_across(p, 0, 16 * MIB, i % 2 ? p.s[0] : p.s[1]);
    settle_both();
    nvtxRangePop();
}

static void links()
{
    Pair p = pair_of(256 * MIB);
    nvtxRangePushA("peer warm");
    for (int i = 0; i < 3; i++) copy_across(p, 0, 4 * MIB, p.s[0]);
    settle_both();
    nvtxRangePop();
    by_size("peer staged", p, 64 * KIB, p.s[0]);
    by_size("peer staged pull", p, 64 * KIB, p.s[1]);
    nvtxRangePushA("peer staged both ways");
    for (int i = 0; i < 2; i++) {
        copy_across(p, 0, 64 * MIB, p.s[0]);
        copy_across(p, 1, 64 * MIB, p.s[1]);
    }
    settle_both();
    nvtxRangePop();
    if (allow(true)) {
        nvtxRangePushA("peer warm");
        for (int i = 0; i < 4; i++) {
            copy_across(p, 0, 4 * MIB, p.s[0]), copy_across(p, 0, 4 * MIB, p.s[1]);
            copy_across(p, 1, 4 * MIB, p.s[0]), copy_across(p, 1, 4 * MIB, p.s[1]);
            settle_both();
        }
        nvtxRangePop();
        by_size("peer", p, 4 * KIB, p.s[0]);
        by_size("peer pull", p, 4 * KIB, p.s[1]);
        chain_across("peer chain", p, 0);
        chain_across("peer chain pull", p, 1);
        events_across(p);
        beside_across(p);
    }
    CHECK(cudaSetDevice(0));
}

/* By the host's clock: what the calls cost, and copies through the host, which a tracer need not see as one. */
static void link_costs(bool brief)
{
    Pair p = pair_of(256 * MIB);
    say("set_device", each(20, 100, [&](int i) { CHECK(cudaSetDevice(i & 1)); }));
    CHECK(cudaSetDevice(0));
    auto staged = [&](size_t bytes, bool both) {
        std::vector<long long> times;
        for (int i = 0; i < 5; i++) {
            settle_both();
            long long begun = now_ns();
            copy_across(p, 0, bytes, p.s[0]);
            if (both) copy_across(p, 1, bytes, p.s[1]);
            settle_both();
            times.push_back(now_ns() - begun);
        }
        return median(times);
    };
    if (!brief) {
        say("staged_peer_64_kib", staged(64 * KIB, false));
        say("staged_peer_16_mib", staged(16 * MIB, false));
        say("staged_peer_256_mib", staged(256 * MIB, false));
        say("staged_peer_both_256_mib", staged(256 * MIB, true));
        say("staged_peer_call", each(3, 10, [&](int) { copy_across(p, 0, 64 * KIB, p.s[0]); }));
    }
    if (allow(true)) {
        for (int i = 0; i < 3; i++) staged(4 * MIB, true);
        say("memcpy_peer", each(20, 20, [&](int) { copy_across(p, 0, 64 * KIB, p.s[0]); }));
        say("memcpy_peer_pull", each(20, 20, [&](int) { copy_across(p, 0, 64 * KIB, p.s[1]); }));
    }
    CHECK(cudaSetDevice(0));
}

/* What the calls are made with. */
struct CostSpace {
    char *device, *pinned;          /* 64 MiB each */
    std::vector<char> pageable;     /* as much */
    cudaStream_t s;
    cudaEvent_t e;
};

static void open_space(CostSpace *c)
{
    CHECK(cudaMalloc(&c->device, 64 * MIB));
    CHECK(cudaMallocHost(&c->pinned, 64 * MIB));
    c->pageable.assign(64 * MIB, 1);
    memset(c->pinned, 1, 64 * MIB);
    CHECK(cudaStreamCreateWithFlags(&c->s, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&c->e));
}

/* Calls that put work into a stream, ask for it, wait for it. */
static void work_costs(const CostSpace *c)
{
    char *device = c->device, *pinned = c->pinned;
    cudaStream_t s = c->s;
    cudaEvent_t e = c->e;
    say("launch", each(20, 100, [&](int) { spin<<<1, 1, 0, s>>>(0); }));
    say("memcpy_async", each(20, 30, [&](int) {
        CHECK(cudaMemcpyAsync(device, pinned, 64 * KIB, cudaMemcpyHostToDevice, s));
    }));
    /* the whole call; what the copy itself takes is taken off with the timeline in hand */
    say("memcpy_sync_whole_h2d", each(20, 10, [&](int) { CHECK(cudaMemcpy(device, pinned, 64 * KIB, cudaMemcpyHostToDevice)); }));
    say("memcpy_sync_whole_d2h", each(20, 10, [&](int) { CHECK(cudaMemcpy(pinned, device, 64 * KIB, cudaMemcpyDeviceToHost)); }));
    say("memset", each(20, 50, [&](int) { CHECK(cudaMemsetAsync(device, 0, 64 * KIB, s)); }));
    say("memcpy_d2d", each(20, 20, [&](int) {
        CHECK(cudaMemcpyAsync(device, device + 32 * MIB, 64 * KIB, cudaMemcpyDeviceToDevice, s));
    }));
    say("event_record", each(20, 50, [&](int) { CHECK(cudaEventRecord(e, s)); }));
    say("stream_wait", each(20, 50, [&](int) { CHECK(cudaStreamWaitEvent(s, e, 0)); }));
    say("event_query", each(20, 100, [&](int) { cudaEventQuery(e); }));
    say("stream_query", each(20, 100, [&](int) { cudaStreamQuery(s); }));
    say("stream_sync", each(20, 100, [&](int) { CHECK(cudaStreamSynchronize(s)); }));
    say("event_sync", each(20, 100, [&](int) { CHECK(cudaEventSynchronize(e)); }));
    say("device_sync", each(20, 100, [&](int) { CHECK(cudaDeviceSynchronize()); }));
    say("host_fn", each(20, 20, [&](int) { CHECK(cudaLaunchHostFunc(s, no_work, NULL)); }));
}

/* Calls that make something and take it away. */
static void object_costs(const CostSpace *c)
{
    cudaStream_t s = c->s;
    std::vector<cudaStream_t> streams(50);
    std::vector<cudaEvent_t> events(50);
    std::vector<void *> blocks(50);
    void *pooled;
    int device_id;
    pools(s);                                        /* before any other use of the pool */
    say("malloc_async_pair", each(20, 50, [&](int) { CHECK(cudaMallocAsync(&pooled, MIB, s)); CHECK(cudaFreeAsync(pooled, s)); }));
    say("stream_create", each(3, 16, [&](int i) { CHECK(cudaStreamCreate(&streams[i])); }));
    long long begun = now_ns();
    for (int i = 0; i < 16; i++) CHECK(cudaStreamDestroy(streams[i]));
    say("stream_destroy", (now_ns() - begun) / 16);
    say("event_create", each(3, 50, [&](int i) { CHECK(cudaEventCreate(&events[i])); }));
    begun = now_ns();
    for (int i = 0; i < 50; i++) CHECK(cudaEventDestroy(events[i]));
    say("event_destroy", (now_ns() - begun) / 50);
    say("malloc", each(3, 8, [&](int i) { CHECK(cudaMalloc(&blocks[i], 2 * MIB)); }));
    begun = now_ns();
    for (int i = 0; i < 8; i++) CHECK(cudaFree(blocks[i]));
    say("free", (now_ns() - begun) / 8);
    say("other", each(20, 100, [&](int) { CHECK(cudaGetDevice(&device_id)); }));
}

/* Memory of the host: pinned when it is allocated, or when it is there already. */
static void pinning_costs()
{
    std::vector<void *> blocks(8);
    void *large;
    long long begun = now_ns();
    for (int i = 0; i < 8; i++) CHECK(cudaMallocHost(&blocks[i], 64 * KIB));
    say("malloc_host", (now_ns() - begun) / 8);
    begun = now_ns();
    for (int i = 0; i < 8; i++) CHECK(cudaFreeHost(blocks[i]));
    say("free_host", (now_ns() - begun) / 8);
    begun = now_ns();
    CHECK(cudaMallocHost(&large, 256 * MIB));
    say("malloc_host_256_mib", now_ns() - begun);
    begun = now_ns();
    CHECK(cudaFreeHost(large));
    say("free_host_256_mib", now_ns() - begun);

    /* memory that is there: a page of it, and all */
    if (posix_memalign(&large, 4096, 256 * MIB)) return;
    memset(large, 1, 256 * MIB);
    std::vector<long long> pages;
    for (int i = 0; i < 8; i++) {
        begun = now_ns();
        CHECK(cudaHostRegister((char *)large + i * MIB, 4 * KIB, 0));
        pages.push_back(now_ns() - begun);
    }
    for (int i = 0; i < 8; i++) CHECK(cudaHostUnregister((char *)large + i * MIB));
    say("host_register", median(pages));
    begun = now_ns();
    CHECK(cudaHostRegister(large, 256 * MIB, 0));
    say("host_register_256_mib", now_ns() - begun);
    begun = now_ns();
    CHECK(cudaHostUnregister(large));
    say("host_unregister_256_mib", now_ns() - begun);
    free(large);
}

/* What the host itself does with 64 MiB. */
static void host_costs(CostSpace *c)
{
    std::vector<long long> writes, host_copies;
    for (int i = 0; i < 5; i++) {
        long long begun = now_ns();
        CHECK(cudaMemcpy(c->pageable.data(), c->pinned, 64 * MIB, cudaMemcpyHostToHost));
        host_copies.push_back(now_ns() - begun);
    }
    say("h2h_64_mib", median(host_copies));
    for (int i = 0; i < 5; i++) {
        long long begun = now_ns();
        for (volatile int *p = (volatile int *)c->pageable.data(), *end = p + 16 * MIB; p < end; p++) *p = i;
        writes.push_back(now_ns() - begun);
    }
    say("host_writes_64_mib", median(writes));
}

/* Up to which size does a copy from pageable memory return while the stream is still busy, and after how long? */
static void staging_costs(const CostSpace *c)
{
    for (size_t bytes = 64 * KIB; bytes <= 16 * MIB; bytes *= 2) {
        std::vector<long long> took;
        bool waited = false;
        for (int i = 0; i < 3; i++) {
            spin<<<1, 1, 0, c->s>>>(8000000);
            long long begun = now_ns();
            CHECK(cudaMemcpyAsync(c->device, c->pageable.data(), bytes, cudaMemcpyHostToDevice, c->s));
            took.push_back(now_ns() - begun);
            if (cudaStreamQuery(c->s) == cudaSuccess || took.back() > 6000000) waited = true;
            CHECK(cudaDeviceSynchronize());
        }
        printf("staged_%zu = %lld\n", bytes, waited ? -1 : median(took));
    }
}

static void costs(bool brief)
{
    CostSpace c;
    open_space(&c);
    work_costs(&c);
    object_costs(&c);
    threads(c.s);
    long long ignored = 0;
    say("clock_read", each(20, 1000, [&](int) { ignored ^= now_ns(); }));
    say("sleep_late", each(3, 20, [&](int) { usleep(500); }) - 500000);
    if (brief) return;

    pinning_costs();
    host_costs(&c);
    staging_costs(&c);
}

/* ---- the host's memory ---- */

/* Leaves nothing of this memory in the host's caches: data that a program has just made may be there, but most of what
 * is worth copying is not. */
static void forget(const char *memory, size_t bytes)
{
#ifdef __x86_64__
    for (size_t i = 0; i < bytes; i += 64) _mm_clflush(memory + i);
    _mm_mfence();
#else
    static std::vector<char> other(256 * MIB);
    static int value;
    memset(other.data(), ++value, other.size());
    (void)memory, (void)bytes;
#endif
}

static char *map_fresh(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) exit(1);
    return (char *)memory;
}

/* Copies of 16 MiB that nobody has touched, and that somebody has: in both directions. */
static void fresh_pages(char *device)
{
    const char *const keys[2][2] = {{"h2d_touched_16_mib", "h2d_fresh_16_mib"}, {"d2h_touched_16_mib", "d2h_fresh_16_mib"}};
    for (int out = 0; out < 2; out++)
        for (int fresh = 0; fresh < 2; fresh++) {
            std::vector<long long> took;
            for (int i = 0; i < 5; i++) {
                char *memory = map_fresh(16 * MIB);
                if (!fresh) {
                    memset(memory, 1, 16 * MIB);
                    forget(memory, 16 * MIB);
                }
                long long begun = now_ns();
                CHECK(cudaMemcpy(out ? memory : device, out ? device : memory, 16 * MIB,
                                 out ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice));
                took.push_back(now_ns() - begun);
                settle();
                munmap(memory, 16 * MIB);
            }
            say(keys[out][fresh], median(took));
        }
}

/* The same memory to the device again and again: the host's caches get to hold it. */
static void again(char *device, cudaStream_t s)
{
    char key[40];
    for (size_t mib = 1; mib <= 256; mib *= 4) {
        std::vector<long long> took;
        size_t bytes = mib * MIB;
        char *memory = map_fresh(bytes);
        memset(memory, 1, bytes);
        forget(memory, bytes);
        long long first = 0;
        for (int i = 0; i < 8; i++) {
            long long begun = now_ns();
            CHECK(cudaMemcpyAsync(device, memory, bytes, cudaMemcpyHostToDevice, s));
            if (!i) first = now_ns() - begun;
            if (i > 2) took.push_back(now_ns() - begun);
            settle();
        }
        snprintf(key, sizeof key, "h2d_once_%zu_mib", mib);
        say(key, first);
        snprintf(key, sizeof key, "h2d_again_%zu_mib", mib);
        say(key, median(took));
        munmap(memory, bytes);
    }
}

__global__ void read_all(const float *from, float *to, size_t n)
{
    float sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        sum += from[i];
    if (sum == 1.2345f) *to = sum;
}
__global__ void write_all(float *to, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        to[i] = (float)i;
}

/* Kernels that read, write, and do both to 64 MiB of pinned memory, and a block of 256 threads that reads 1 MiB. */
static void over_the_bus(char *device, cudaStream_t s)
{
    float *pinned, ms;
    cudaEvent_t a, b;
    const size_t n = 64 * MIB / sizeof(float);
    const char *const keys[] = {"bus_read_64_mib", "bus_write_64_mib", "bus_both_64_mib", "bus_block_1_mib"};
    CHECK(cudaHostAlloc(&pinned, 64 * MIB, cudaHostAllocMapped));
    memset(pinned, 0, 64 * MIB);
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    for (int k = 0; k < 4; k++) {
        std::vector<long long> took;
        for (int i = 0; i < 4; i++) {
            spin<<<1, 1, 0, s>>>(30000);
            CHECK(cudaEventRecord(a, s));
            if (k == 0) read_all<<<1056, 256, 0, s>>>(pinned, (float *)device, n);
            if (k == 1) write_all<<<1056, 256, 0, s>>>(pinned, n);
            if (k == 2) add<<<(unsigned)(n / 256), 256, 0, s>>>(pinned, n);
            if (k == 3) read_all<<<1, 256, 0, s>>>(pinned, (float *)device, MIB / sizeof(float));
            CHECK(cudaEventRecord(b, s));
            CHECK(cudaStreamSynchronize(s));
            CHECK(cudaEventElapsedTime(&ms, a, b));
            if (i) took.push_back((long long)(ms * 1e6));
        }
        say(keys[k], median(took));
    }
    CHECK(cudaFreeHost(pinned));
}

/* memset of memory that the caches hold. */
static void sets()
{
    std::vector<long long> took;
    char *memory = map_fresh(4 * MIB);
    for (int i = 0; i < 6; i++) {
        long long begun = now_ns();
        memset(memory, i, 4 * MIB);
        if (i) took.push_back(now_ns() - begun);
    }
    say("host_sets_4_mib", median(took));
    munmap(memory, 4 * MIB);
}

static void memory()
{
    cudaStream_t s;
    char *device, *warm = map_fresh(16 * MIB);
    CHECK(cudaMalloc(&device, 256 * MIB));
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMemcpy(device, warm, 16 * MIB, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(warm, device, 16 * MIB, cudaMemcpyDeviceToHost));
        spin<<<1, 1, 0, s>>>(1000);
        settle();
    }
    fresh_pages(device);
    again(device, s);
    over_the_bus(device, s);
    sets();
}

/* ---- the timeline ---- */

static char *device, *device2, *pinned, *pinned2, *pageable, *registered;

static void copies(cudaStream_t s)
{
    struct { const char *name; char *from, *to; cudaMemcpyKind kind; size_t least, most; } paths[] = {
        {"h2d", pinned, device, cudaMemcpyHostToDevice, 4 * KIB, 64 * MIB},
        {"d2h", device, pinned, cudaMemcpyDeviceToHost, 4 * KIB, 64 * MIB},
        {"h2d registered", registered, device, cudaMemcpyHostToDevice, MIB, 16 * MIB},
        {"d2h registered", device, registered, cudaMemcpyDeviceToHost, MIB, 16 * MIB},
        {"h2d pageable", pageable, device, cudaMemcpyHostToDevice, 64 * KIB, 64 * MIB},
        {"d2h pageable", device, pageable, cudaMemcpyDeviceToHost, 64 * KIB, 64 * MIB},
        {"d2d", device, device2, cudaMemcpyDeviceToDevice, 4 * KIB, 256 * MIB},
    };
    for (auto &path : paths) {
        nvtxRangePushA(path.name);
        for (size_t bytes = path.least; bytes <= path.most; bytes *= 4) {
            char *from = path.from, *to = path.to, *own = NULL;
            if (from == pageable || to == pageable) {     /* memory as programs get it: one block of this size */
                own = (char *)malloc(bytes);
                if (!own) exit(1);
                memset(own, 1, bytes);
                if (from == pageable) from = own;
                else to = own;
            }
            for (int i = 0; i < 4; i++) {
                if (own) forget(own, bytes);
                CHECK(cudaMemcpyAsync(to, from, bytes, path.kind, s));
                settle();
            }
            free(own);
        }
        nvtxRangePop();
    }
    nvtxRangePushA("memset");
    for (size_t bytes = 4 * KIB; bytes <= 256 * MIB; bytes *= 16)
        for (int i = 0; i < 4; i++) {
            CHECK(cudaMemsetAsync(device, 0, bytes, s));
            settle();
        }
    nvtxRangePop();
}

/* Large copies in both directions at once. */
static void both_ways(cudaStream_t a, cudaStream_t b)
{
    nvtxRangePushA("both ways");
    for (size_t bytes = 4 * MIB; bytes <= 64 * MIB; bytes *= 16) {
        for (int i = 0; i < 5; i++) {
            CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, a));
            CHECK(cudaMemcpyAsync(pinned2, device2, bytes, cudaMemcpyDeviceToHost, b));
        }
        settle();
    }
    nvtxRangePop();
}

/* The gaps in a graph, and from one launch of it to the next, both issued while a kernel runs. */
static void graph_chains(cudaStream_t s)
{
    long long captured;
    cudaGraph_t graph = chain_of(10, 10000, s, &captured);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, s));
    settle();
    nvtxRangePushA("graphs");
    for (int round = 0; round < 6; round++) {
        spin<<<1, 1, 0, s>>>(400000);
        for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(exec, s));
        settle();
    }
    nvtxRangePop();
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
}

/* ---- kernels that begin early, and barriers inside kernels ---- */

__device__ static void pass(long long ns)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}
__global__ void primary(long long before, long long after)
{
    pass(before);
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    pass(after);
}
__global__ void secondary()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}
__global__ void grid_barriers(int n)
{
    for (int i = 0; i < n; i++) cooperative_groups::this_grid().sync();
}
__global__ void cluster_barriers(int n)
{
#if __CUDA_ARCH__ >= 900
    for (int i = 0; i < n; i++) cooperative_groups::this_cluster().sync();
#endif
}

/* The primary triggers after 40 us and lasts as long again; the secondary waits for its end. */
static void dependent(cudaStream_t s)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    for (int round = -1; round < 8; round++) {
        if (!round) nvtxRangePushA("dependent");
        primary<<<1, 1, 0, s>>>(40000, 40000);
        CHECK(cudaLaunchKernelEx(&config, secondary));
        settle();
    }
    nvtxRangePop();
}

/* Kernels of ten barriers, and of 110. */
static void barriers(cudaStream_t s, const char *few, const char *many, void (*kernel)(int), cudaLaunchAttribute attribute, int blocks)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3((unsigned)blocks);
    config.blockDim = dim3(256);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, kernel, 1));
    settle();
    for (int n = 10; n <= 110; n += 100) {
        nvtxRangePushA(n == 10 ? few : many);
        for (int i = 0; i < 4; i++) CHECK(cudaLaunchKernelEx(&config, kernel, n));
        settle();
        nvtxRangePop();
    }
}

static void inside(cudaStream_t s)
{
    cudaDeviceProp p;
    cudaLaunchAttribute attribute;
    CHECK(cudaGetDeviceProperties(&p, 0));
    if (p.cooperativeLaunch) {
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        barriers(s, "10 grid barriers", "110 grid barriers", grid_barriers, attribute, p.multiProcessorCount);
    }
    if (p.major < 9) return;
    dependent(s);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    barriers(s, "10 cluster barriers", "110 cluster barriers", cluster_barriers, attribute, 32);
}

/* Everything is issued while the first kernel runs, so what lies between two operations is the device's own gap. */
static void chains(cudaStream_t s, cudaStream_t t)
{
    nvtxRangePushA("chain");
    for (size_t bytes = 64 * KIB; bytes <= 16 * MIB; bytes *= 16)
        for (int round = 0; round < 3; round++) {
            spin<<<1, 1, 0, s>>>(400000);
            for (int i = 0; i < 2; i++) {
                spin<<<1, 1, 0, s>>>(10000);
                spin<<<1, 1, 0, s>>>(10000);
                CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, s));
                CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, s));
                spin<<<1, 1, 0, s>>>(10000);
                CHECK(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, s));
                CHECK(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, s));
                spin<<<1, 1, 0, s>>>(10000);
                CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, s));
                CHECK(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, s));
                CHECK(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, s));
                CHECK(cudaMemsetAsync(device, 0, 64 * KIB, s));
                spin<<<1, 1, 0, s>>>(10000);
                CHECK(cudaMemsetAsync(device, 0, 64 * KIB, s));
            }
            settle();
        }
    nvtxRangePop();
    nvtxRangePushA("engine");       /* copies of one direction in two streams: what lies between them */
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 5; i++) {
            CHECK(cudaMemcpyAsync(device, pinned, 4 * MIB, cudaMemcpyHostToDevice, i % 2 ? s : t));
        }
        settle();
        for (int i = 0; i < 5; i++) {
            CHECK(cudaMemcpyAsync(pinned, device, 4 * MIB, cudaMemcpyDeviceToHost, i % 2 ? s : t));
        }
        settle();
    }
    nvtxRangePop();
}

static void across(cudaStream_t s, cudaStream_t t)
{
    cudaEvent_t e;
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    static const char *const names[] = {"event kernel kernel", "event copy kernel", "event kernel copy"};
    for (int what = 0; what < 3; what++) {
        nvtxRangePushA(names[what]);
        for (int i = 0; i < 4; i++) {
            spin<<<1, 1, 0, s>>>(100000);
            if (what == 1) CHECK(cudaMemcpyAsync(device, pinned, MIB, cudaMemcpyHostToDevice, s));
            CHECK(cudaEventRecord(e, s));
            CHECK(cudaStreamWaitEvent(t, e, 0));
            if (what == 2) CHECK(cudaMemcpyAsync(pinned, device, MIB, cudaMemcpyDeviceToHost, t));
            else spin<<<1, 1, 0, t>>>(10000);
            settle();
        }
        nvtxRangePop();
    }
    CHECK(cudaEventDestroy(e));
}

static void host_functions(cudaStream_t s)
{
    nvtxRangePushA("host function");
    for (int i = 0; i < 8; i++) {
        spin<<<1, 1, 0, s>>>(200000);
        CHECK(cudaLaunchHostFunc(s, no_work, NULL));
        spin<<<1, 1, 0, s>>>(10000);
        settle();
    }
    nvtxRangePop();
    nvtxRangePushA("host functions");
    spin<<<1, 1, 0, s>>>(200000);
    for (int i = 0; i < 10; i++) CHECK(cudaLaunchHostFunc(s, no_work, NULL));
    settle();
    nvtxRangePop();
}

/* From an idle device: how soon a launch and a copy start, and how soon a waiting call returns. */
static void waits(cudaStream_t s)
{
    cudaEvent_t e;
    CHECK(cudaEventCreate(&e));
    nvtxRangePushA("wait");
    for (int i = 0; i < 6; i++) {
        spin<<<1, 1, 0, s>>>(50000);
        CHECK(cudaStreamSynchronize(s));
        spin<<<1, 1, 0, s>>>(50000);
        CHECK(cudaEventRecord(e, s));
        CHECK(cudaEventSynchronize(e));
        spin<<<1, 1, 0, s>>>(50000);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpyAsync(device, pinned, MIB, cudaMemcpyHostToDevice, s));
        CHECK(cudaStreamSynchronize(s));
        CHECK(cudaMemcpyAsync(pinned, device, MIB, cudaMemcpyDeviceToHost, s));
        CHECK(cudaStreamSynchronize(s));
        CHECK(cudaMemcpy(device, pinned, MIB, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(pinned, device, MIB, cudaMemcpyDeviceToHost));
    }
    nvtxRangePop();
    CHECK(cudaEventDestroy(e));
}

static void kernels(cudaStream_t s, cudaStream_t t)
{
    nvtxRangePushA("smallest kernel");
    for (int i = 0; i < 6; i++) {
        nothing<<<1, 1, 0, s>>>();
        settle();
    }
    nvtxRangePop();
    nvtxRangePushA("memory");
    for (size_t bytes = MIB; bytes <= 256 * MIB; bytes *= 4)
        for (int i = 0; i < 4; i++) {
            size_t n = bytes / sizeof(float);
            add<<<(unsigned)((n + 255) / 256), 256, 0, s>>>((float *)device, n);
            settle();
        }
    nvtxRangePop();
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    nvtxRangePushA("room");         /* two kernels that fill the device each */
    int blocks = p.multiProcessorCount * (p.maxThreadsPerMultiProcessor / 1024);
    spin<<<blocks, 1024, 0, s>>>(300000);
    spin<<<blocks, 1024, 0, t>>>(300000);
    settle();
    nvtxRangePop();
    nvtxRangePushA("beside a kernel");      /* sets and copies inside the device beside a kernel of one block */
    spin<<<1, 1, 0, s>>>(2000000);
    CHECK(cudaMemsetAsync(device, 0, 64 * MIB, t));
    CHECK(cudaMemcpyAsync(device2, device, 64 * MIB, cudaMemcpyDeviceToDevice, t));
    settle();
    nvtxRangePop();
    nvtxRangePushA("inside beside");        /* two copies inside the device, each beside the other */
    for (int i = 0; i < 4; i++) {
        CHECK(cudaMemcpyAsync(device2, device, 64 * MIB, cudaMemcpyDeviceToDevice, s));
        CHECK(cudaMemcpyAsync(device2 + 64 * MIB, device + 64 * MIB, 64 * MIB, cudaMemcpyDeviceToDevice, t));
    }
    settle();
    nvtxRangePop();
    nvtxRangePushA("beside a full kernel");
    spin<<<blocks, 1024, 0, s>>>(500000);
    CHECK(cudaMemsetAsync(device, 0, 64 * MIB, t));
    settle();
    nvtxRangePop();
}

static void grids()
{
    enum { STREAMS = 160 };
    std::vector<cudaStream_t> streams(STREAMS);
    for (auto &s : streams) CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    nvtxRangePushA("grids");
    for (auto &s : streams) spin<<<1, 1, 0, s>>>(3000000);
    settle();
    nvtxRangePop();
    for (auto &s : streams) CHECK(cudaStreamDestroy(s));
}

static void timeline()
{
    cudaStream_t s, t;
    CHECK(cudaMalloc(&device, 256 * MIB));
    CHECK(cudaMalloc(&device2, 256 * MIB));
    CHECK(cudaMallocHost(&pinned, 64 * MIB));
    CHECK(cudaMallocHost(&pinned2, 64 * MIB));
    pageable = (char *)malloc(64 * MIB);
    registered = (char *)aligned_alloc(4 * KIB, 16 * MIB);
    if (!pageable || !registered) exit(1);
    memset(pinned, 1, 64 * MIB);
    memset(pinned2, 1, 64 * MIB);
    memset(pageable, 1, 64 * MIB);
    memset(registered, 1, 16 * MIB);
    CHECK(cudaHostRegister(registered, 16 * MIB, cudaHostRegisterDefault));
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    for (int i = 0; i < 2; i++) {   /* warm-up: every kernel, path and engine once */
        cudaStream_t stream = i ? s : t;
        spin<<<1, 1, 0, stream>>>(1000);
        nothing<<<1, 1, 0, stream>>>();
        add<<<64, 256, 0, stream>>>((float *)device, 16384);
        CHECK(cudaMemcpyAsync(device, pinned, 16 * MIB, cudaMemcpyHostToDevice, stream));
        CHECK(cudaMemcpyAsync(pinned, device, 16 * MIB, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaMemcpyAsync(device, pageable, 16 * MIB, cudaMemcpyHostToDevice, stream));
        CHECK(cudaMemcpyAsync(pageable, device, 16 * MIB, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaMemcpyAsync(device2, device, MIB, cudaMemcpyDeviceToDevice, stream));
        CHECK(cudaMemsetAsync(device, 0, MIB, stream));
        CHECK(cudaLaunchHostFunc(stream, no_work, NULL));
        settle();
    }
    copies(s);
    both_ways(s, t);
    chains(s, t);
    inside(s);
    graph_chains(s);
    across(s, t);
    host_functions(s);
    waits(s);
    kernels(s, t);
    grids();
    CHECK(cudaDeviceSynchronize());
    if (device_count() > 1) links();
}

int main(int argc, char **argv)
{
    std::string what = argc > 1 ? argv[1] : "";
    CHECK(cudaSetDevice(0));
    if (what == "properties") properties();
    else if (what == "costs") {
        costs(argc > 2);
        if (device_count() > 1) link_costs(argc > 2);    /* last: a second card makes some calls dearer */
    }
    else if (what == "graphs") graphs();
    else if (what == "memory") memory();
    else if (what == "timeline") timeline();
    else {
        fputs("usage: probe properties|costs [brief]|graphs|memory|timeline\n", stderr);
        return 2;
    }
    return 0;
}
#endif
