// graphs PLAN [NUMBER [NS]] - graphs that are captured once and replayed.
#include "compare.h"

static const size_t batch = 8 * MIB;
static char *host, *device;
static cudaStream_t s[4];
static cudaEvent_t forked, joined[4];

static void in(int k, cudaStream_t stream, size_t bytes = batch)
{
    CHECK(cudaMemcpyAsync(device + k * batch, host + k * batch, bytes, cudaMemcpyHostToDevice, stream));
}
static void out(int k, cudaStream_t stream, size_t bytes = batch)
{
    CHECK(cudaMemcpyAsync(host + k * batch, device + k * batch, bytes, cudaMemcpyDeviceToHost, stream));
}

template <class Work> static cudaGraphExec_t captured(Work work)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    work();
    CHECK(cudaStreamEndCapture(s[0], &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return exec;
}

// Work for every other stream, behind what s[0] has, and before what it gets.
template <class Work> static void fork(int streams, Work work)
{
    CHECK(cudaEventRecord(forked, s[0]));
    for (int i = 1; i < streams; i++) CHECK(cudaStreamWaitEvent(s[i], forked, 0));
    for (int i = 0; i < streams; i++) work(i);
    for (int i = 1; i < streams; i++) {
        CHECK(cudaEventRecord(joined[i], s[i]));
        CHECK(cudaStreamWaitEvent(s[0], joined[i], 0));
    }
}

// A chain of kernels; ten replays.
static void chain(int kernels, long long ns)
{
    for (int i = 0; i < kernels; i++) spin<<<4, 32, 0, s[0]>>>(ns);
}

// A batch in each of some streams: in, through two kernels, out. The copies come behind a kernel, and a kernel behind them.
static void batches(int streams, long long ns)
{
    spin<<<1, 1, 0, s[0]>>>(ns);
    fork(streams, [&](int i) {
        in(i, s[i]);
        spin<<<8, 64, 0, s[i]>>>(ns);
        spin<<<8, 64, 0, s[i]>>>(ns / 2);
        out(i, s[i]);
    });
    spin<<<1, 1, 0, s[0]>>>(ns);
}

// Short nodes of every kind, one behind the other.
static void kinds(int rounds, long long ns)
{
    for (int i = 0; i < rounds; i++) {
        CHECK(cudaMemsetAsync(device, i, MIB, s[0]));
        spin<<<1, 32, 0, s[0]>>>(ns);
        in(1, s[0], MIB);
        spin<<<1, 32, 0, s[0]>>>(ns);
        out(1, s[0], MIB);
        out(2, s[0], MIB);
        CHECK(cudaMemcpyAsync(device + 2 * batch, device, batch, cudaMemcpyDeviceToDevice, s[0]));
        spin<<<1, 32, 0, s[0]>>>(ns);
    }
}

// A diamond of kernels: one, many beside each other, one.
static void diamond(int rounds, long long ns)
{
    for (int i = 0; i < rounds; i++) {
        spin<<<1, 32, 0, s[0]>>>(ns);
        fork(4, [&](int k) { spin<<<4, 32, 0, s[k]>>>(ns * (k + 1)); });
    }
}

int main(int argc, char **argv)
{
    const char *plan = argc > 1 ? argv[1] : "chain";
    int number = argc > 2 ? atoi(argv[2]) : 20;
    long long ns = argc > 3 ? atoll(argv[3]) : 5000;
    CHECK(cudaMallocHost(&host, 4 * batch));
    CHECK(cudaMalloc(&device, 4 * batch));
    memset(host, 1, 4 * batch);
    CHECK(cudaMemset(device, 1, 4 * batch));
    CHECK(cudaDeviceSynchronize());
    for (cudaStream_t &stream : s) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    for (cudaEvent_t &event : joined) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));

    auto work = [&] {
        if (!strcmp(plan, "chain") || !strcmp(plan, "paid") || !strcmp(plan, "waited")) chain(number, ns);
        else if (!strcmp(plan, "batches")) batches(number, ns);
        else if (!strcmp(plan, "kinds")) kinds(number, ns);
        else if (!strcmp(plan, "diamond")) diamond(number, ns);
        else {
            fprintf(stderr, "no plan %s\n", plan);
            exit(2);
        }
    };
    if (!strcmp(plan, "paid")) { // captured and instantiated each time, as some programs do
        measure([&] {
            for (int i = 0; i < 5; i++) {
                cudaGraphExec_t exec = captured(work);
                CHECK(cudaGraphLaunch(exec, s[0]));
                CHECK(cudaStreamSynchronize(s[0]));
                CHECK(cudaGraphExecDestroy(exec));
            }
        });
        return 0;
    }
    cudaGraphExec_t exec = captured(work);
    measure([&] {
        for (int i = 0; i < 10; i++) {
            CHECK(cudaGraphLaunch(exec, s[0]));
            if (!strcmp(plan, "waited")) CHECK(cudaStreamSynchronize(s[0]));
        }
    });
    return 0;
}
