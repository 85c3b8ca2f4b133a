// peers PLAN [NUMBER] - plans for two GPUs: what the host issues goes from GPU to GPU by events alone.
//   pipeline N       N microbatches through two stages, two buffers at each end, copies in a stream of their own
//   pulled N         the same; the target fetches, and microbatches are smaller
//   ring N           an all-reduce over two GPUs in N chunks each: sums and copies in both directions at once
//   exchange N       N steps of a stencil: halos go both ways while the inside is worked on
//   staged N         the pipeline without access to each other's memory: copies go through the host
//   host N           the pipeline with a wait of the host after each step
#include "compare.h"

static const long long us = 1000;
static char *buffer[2][4];
static cudaStream_t compute[2], link_[2], side[2];
static cudaEvent_t events[2][16];

static void on(int gpu) { CHECK(cudaSetDevice(gpu)); }
static void record(int gpu, int event, cudaStream_t stream) { CHECK(cudaEventRecord(events[gpu][event], stream)); }
static void wait(cudaStream_t stream, int gpu, int event) { CHECK(cudaStreamWaitEvent(stream, events[gpu][event], 0)); }
static void send(int from, int to_buffer, int from_buffer, size_t bytes, cudaStream_t stream)
{
    CHECK(cudaMemcpyPeerAsync(buffer[1 - from][to_buffer], 1 - from, buffer[from][from_buffer], from, bytes, stream));
}
static void synchronize()
{
    for (int gpu = 1; gpu >= 0; gpu--) {
        on(gpu);
        CHECK(cudaDeviceSynchronize());
    }
}

// Events: 0, 1 what GPU 0 has made; 2, 3 what was copied; of GPU 1, 0, 1 what was read.
static void pipeline(int n, size_t bytes, long long ns, bool pull)
{
    cudaStream_t copies = pull ? link_[1] : link_[0];
    int at = pull ? 1 : 0;
    for (int i = 0; i < n; i++) {
        int b = i % 2;
        on(0);
        if (i >= 2) wait(compute[0], at, 2 + b);
        spin<<<16, 128, 0, compute[0]>>>(ns);
        record(0, b, compute[0]);
        wait(copies, 0, b);
        if (i >= 2) wait(copies, 1, b);
        send(0, b, b, bytes, copies);
        record(at, 2 + b, copies);
        on(1);
        wait(compute[1], at, 2 + b);
        spin<<<16, 128, 0, compute[1]>>>(ns);
        record(1, b, compute[1]);
    }
}

static void host_waits(int n, size_t bytes, long long ns)
{
    for (int i = 0; i < n; i++) {
        on(0);
        spin<<<16, 128, 0, compute[0]>>>(ns);
        CHECK(cudaStreamSynchronize(compute[0]));
        send(0, 0, 0, bytes, link_[0]);
        CHECK(cudaStreamSynchronize(link_[0]));
        on(1);
        spin<<<16, 128, 0, compute[1]>>>(ns);
        CHECK(cudaStreamSynchronize(compute[1]));
    }
}

// Each chunk goes to the other GPU, is added there, and comes back whole. Events of a GPU: 0 what it has sent, 1 what
// it has added.
static void ring(int chunks, size_t bytes)
{
    for (int c = 0; c < chunks; c++) {
        for (int gpu = 0; gpu < 2; gpu++) {
            if (c) wait(link_[gpu], 1 - gpu, 1);
            send(gpu, 2, 0, bytes, link_[gpu]);
            record(gpu, 0, link_[gpu]);
        }
        for (int gpu = 0; gpu < 2; gpu++) {
            on(gpu);
            wait(compute[gpu], 1 - gpu, 0);
            launch_scale(buffer[gpu][2], bytes, compute[gpu]);
            spin<<<16, 128, 0, compute[gpu]>>>((long long)(bytes / 800));
            record(gpu, 1, compute[gpu]);
        }
    }
    for (int gpu = 0; gpu < 2; gpu++) wait(link_[gpu], gpu, 1);
    for (int c = 0; c < chunks; c++)
        for (int gpu = 0; gpu < 2; gpu++) send(gpu, 1, 2, bytes, link_[gpu]);
}

// Events of a GPU: 0 the rim of this step is there, 1 sent, 2 the inside is there.
static void exchange(int steps, long long ns)
{
    const size_t halo = 256 * KIB;
    for (int s = 0; s < steps; s++) {
        for (int gpu = 0; gpu < 2; gpu++) {
            on(gpu);
            if (s) {
                wait(side[gpu], 1 - gpu, 1);
                wait(side[gpu], gpu, 2);
                wait(compute[gpu], gpu, 0);
            }
            spin<<<4, 128, 0, side[gpu]>>>(ns / 8);
            record(gpu, 0, side[gpu]);
            spin<<<64, 128, 0, compute[gpu]>>>(ns);
            record(gpu, 2, compute[gpu]);
            send(gpu, 0, 1, halo, side[gpu]);
            record(gpu, 1, side[gpu]);
        }
    }
}

int main(int argc, char **argv)
{
    int gpus = 0, n = argc > 2 ? atoi(argv[2]) : 0;
    const char *plan = argc > 1 ? argv[1] : "";
    CHECK(cudaGetDeviceCount(&gpus));
    if (gpus < 2 || n < 1) {
        fprintf(stderr, "usage: peers pipeline|pulled|ring|exchange|staged|host N, with two GPUs\n");
        return 2;
    }
    for (int gpu = 1; gpu >= 0; gpu--) {
        on(gpu);
        if (strcmp(plan, "staged")) CHECK(cudaDeviceEnablePeerAccess(1 - gpu, 0));
        for (auto &memory : buffer[gpu]) CHECK(cudaMalloc(&memory, 64 * MIB));
        for (auto &event : events[gpu]) CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        for (cudaStream_t *stream : {&compute[gpu], &link_[gpu], &side[gpu]})
            CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
        for (auto &memory : buffer[gpu]) CHECK(cudaMemset(memory, 0, 64 * MIB));
    }
    synchronize();
    auto work = [&] {
        if (!strcmp(plan, "pipeline")) pipeline(n, 32 * MIB, 100 * us, false);
        if (!strcmp(plan, "pulled")) pipeline(n, 8 * MIB, 40 * us, true);
        if (!strcmp(plan, "ring")) ring(n, 32 * MIB);
        if (!strcmp(plan, "exchange")) exchange(n, 60 * us);
        if (!strcmp(plan, "staged")) pipeline(n, 8 * MIB, 150 * us, false);
        if (!strcmp(plan, "host")) host_waits(n, 16 * MIB, 80 * us);
        synchronize();
    };
    measure(work);
    return 0;
}
