/* harness.cu - exercise 46: main, the kernels, the library, the version with the stray kernel. Read-only: grading uses
 * its own copy. */
#include <thread>
#include "ex46.h"
#include "harness.h"

/* 0 where a kernel lasts as long as a copy anyway; else the kernels spin so that they do. */
__device__ long long spin_cycles;

__device__ static void last(void)
{
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

__global__ void K(const float *in, float *out)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < BATCH_FLOATS / STRIDE; k += gridDim.x * blockDim.x)
        out[k * STRIDE] = in[k * STRIDE] * in[k * STRIDE] + 1.0f;
    last();
}

__global__ void step(float *data, int number)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < BATCH_FLOATS / STRIDE; k += gridDim.x * blockDim.x)
        data[k * STRIDE] = data[k * STRIDE] * 0.5f + (float)number;
    last();
}

/* ---- the library ---- */

enum { MOST_BEATS = 1024 };
static float *d_beats, *d_summary;                   /* a place for every heartbeat; a number for every thread */
static int beats;
static cudaStream_t library_stream = 0;

__global__ void beat(float *beats, int number)
{
    beats[number] = (float)(number + 1);
    last();
}

__global__ void summary(const float *values, float *sums)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = thread; k < BATCHES * (BATCH_FLOATS / STRIDE); k += gridDim.x * blockDim.x) sum += values[(size_t)k * STRIDE];
    sums[thread] = sum;
    last();
}

static void heartbeat(cudaStream_t stream)
{
    if (beats >= MOST_BEATS) return;
    beat<<<1, 1, 0, stream>>>(d_beats, beats);
    beats++;
}

void libSetStream(cudaStream_t stream)
{
    library_stream = stream;
}

void libHeartbeat(void)
{
    heartbeat(library_stream);
}

void oldHeartbeat(void)
{
    heartbeat(0);
}

void oldSummary(const float *d_out)
{
    summary<<<BLOCKS, THREADS>>>(d_out, d_summary);
}

/* ---- what yours is compared with ---- */

/* As widely written: a stream per batch, and a library that was never told of them. */
static void stray(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t streams[BATCHES];
    for (int i = 0; i < BATCHES; i++) HARNESS_CALL(cudaStreamCreate(&streams[i]));
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        if (i == 0) nvtxRangePushA("stage");
        HARNESS_CALL(cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, streams[i]));
        if (i == 0) nvtxRangePop();
        K<<<BLOCKS, THREADS, 0, streams[i]>>>(d_in + at, d_out + at);
        HARNESS_CALL(cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, streams[i]));
        heartbeat(0);
    }
    HARNESS_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < BATCHES; i++) HARNESS_CALL(cudaStreamDestroy(streams[i]));
}

static void worker_in_stream_0(float *data)
{
    for (int i = 0; i < STEPS; i++) step<<<BLOCKS, THREADS>>>(data, i);
    HARNESS_CALL(cudaStreamSynchronize(0));
}

static void threads_in_stream_0(float *first, float *second)
{
    std::thread one(worker_in_stream_0, first), two(worker_in_stream_0, second);
    one.join();
    two.join();
}

static void run_threads(const char *range, void (*run)(float *, float *), float *const data[2])
{
    for (int i = 0; i < 2; i++) HARNESS_CALL(cudaMemset(data[i], 0, BATCH_BYTES));
    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePushA(range);
    run(data[0], data[1]);
    nvtxRangePop();
}

/* The kernel gets the length of one copy. */
static void tune(const float *h_in, float *d_in, float *d_out)
{
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        cudaEvent_t begin, middle, end;
        float copy_ms = 0;
        HARNESS_CALL(cudaEventCreate(&begin));
        HARNESS_CALL(cudaEventCreate(&middle));
        HARNESS_CALL(cudaEventCreate(&end));
        HARNESS_CALL(cudaEventRecord(begin, 0));
        HARNESS_CALL(cudaMemcpyAsync(d_in, h_in, BATCH_BYTES, cudaMemcpyHostToDevice, 0));
        HARNESS_CALL(cudaEventRecord(middle, 0));
        K<<<BLOCKS, THREADS>>>(d_in, d_out);
        HARNESS_CALL(cudaEventRecord(end, 0));
        HARNESS_CALL(cudaEventSynchronize(end));
        HARNESS_CALL(cudaEventElapsedTime(&copy_ms, begin, middle));
        HARNESS_CALL(cudaEventDestroy(begin));
        more = harness_spin_cycles(harness_elapsed(middle, end), copy_ms);
        cycles += more;
        if (more) HARNESS_CALL(cudaMemcpyToSymbol(spin_cycles, &cycles, sizeof cycles));
        HARNESS_CALL(cudaDeviceSynchronize());       /* it may still be on its way */
    }
}

static size_t count_wrong(const float *h_in, const float *h_out, size_t n)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n; i += STRIDE) {
        float expected = h_in[i] * h_in[i] + 1.0f;
        if (!(fabsf(h_out[i] - expected) <= 1e-5f * expected)) wrong++;
    }
    return wrong;
}

static void look_at(const char *name, const char *beats_name, const float *h_in, const float *h_out, int made)
{
    const size_t floats = (size_t)BATCHES * BATCH_FLOATS;
    float rung[BATCHES];
    result_dump_every(name, h_out, floats, STRIDE);
    HARNESS_CALL(cudaMemcpy(rung, d_beats + made, sizeof rung, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BATCHES; i++) rung[i] = rung[i] == (float)(made + i + 1);
    result_dump(beats_name, rung, BATCHES);
    printf("%s: %zu of %zu results are wrong\n", name, count_wrong(h_in, h_out, floats), floats / STRIDE);
}

int main(void)
{
    const size_t floats = (size_t)BATCHES * BATCH_FLOATS, bytes = floats * sizeof(float);
    static float sums[BLOCKS * THREADS];
    float *h_in, *h_out, *d_in, *d_out, *mine[2];
    HARNESS_CALL(cudaMallocHost((void **)&h_in, bytes));
    HARNESS_CALL(cudaMallocHost((void **)&h_out, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_in, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_out, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_beats, MOST_BEATS * sizeof(float)));
    HARNESS_CALL(cudaMalloc((void **)&d_summary, sizeof sums));
    for (int i = 0; i < 2; i++) HARNESS_CALL(cudaMalloc((void **)&mine[i], BATCH_BYTES));
    memset(h_in, 0, bytes);
    harness_fill_every(h_in, floats, STRIDE, 46);
    HARNESS_CALL(cudaMemset(d_in, 0, bytes));
    HARNESS_CALL(cudaMemset(d_out, 0, bytes));
    HARNESS_CALL(cudaMemset(d_beats, 0, MOST_BEATS * sizeof(float)));
    HARNESS_CALL(cudaMemset(mine[0], 0, BATCH_BYTES));

    K<<<BLOCKS, THREADS>>>(d_in, d_out);             /* the first launch of a kernel is slower than the others */
    heartbeat(0);
    oldSummary(d_out);
    step<<<BLOCKS, THREADS>>>(mine[0], 0);
    HARNESS_CALL(cudaDeviceSynchronize());
    tune(h_in, d_in, d_out);

    int made = beats;                                /* B first: with A's streams it is more than a device has queues */
    nvtxRangePushA("non_blocking");
    nonBlocking(h_in, h_out, d_in, d_out);
    nvtxRangePop();
    nvtxRangePushA("returned");                      /* from here on every result is looked at: all work must be done */
    look_at("nonBlocking", "old_beats", h_in, h_out, made);
    HARNESS_CALL(cudaMemcpy(sums, d_summary, sizeof sums, cudaMemcpyDeviceToHost));
    result_dump("summary", sums, BLOCKS * THREADS);
    nvtxRangePop();
    memset(h_out, 0, bytes);
    HARNESS_CALL(cudaMemset(d_out, 0, bytes));
    HARNESS_CALL(cudaDeviceSynchronize());

    made = beats;
    nvtxRangePushA("with_stream");
    withStream(h_in, h_out, d_in, d_out);
    nvtxRangePop();
    libSetStream(0);
    nvtxRangePushA("returned");
    look_at("withStream", "beats", h_in, h_out, made);
    nvtxRangePop();

    run_threads("threads", twoThreads, mine);
    nvtxRangePushA("joined");
    nvtxRangePop();
    nvtxRangePushA("returned");
    for (int i = 0; i < 2; i++) {
        HARNESS_CALL(cudaMemcpy(h_out, mine[i], BATCH_BYTES, cudaMemcpyDeviceToHost));
        result_dump_every(i ? "second" : "first", h_out, BATCH_FLOATS, STRIDE);
    }
    nvtxRangePop();

    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePushA("stray");                         /* last: its streams then do not count before yours */
    stray(h_in, h_out, d_in, d_out);
    nvtxRangePop();
    run_threads("threads_shared", threads_in_stream_0, mine);

    for (int i = 0; i < 2; i++) HARNESS_CALL(cudaFree(mine[i]));
    HARNESS_CALL(cudaFree(d_beats));
    HARNESS_CALL(cudaFree(d_summary));
    HARNESS_CALL(cudaFree(d_in));
    HARNESS_CALL(cudaFree(d_out));
    HARNESS_CALL(cudaFreeHost(h_in));
    HARNESS_CALL(cudaFreeHost(h_out));
    return 0;
}
