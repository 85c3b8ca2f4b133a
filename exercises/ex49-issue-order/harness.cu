/* harness.cu - exercise 49: main, the kernels, the versions that yours are compared with. Read-only: grading uses its own
 * copy. */
#include "ex49.h"
#include "harness.h"

/* 0 where a kernel lasts as long as the copy of a batch anyway; else A's and B's kernels spin so that they do. */
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

__global__ void step(float *chain, int link)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < CHAIN_FLOATS; k += gridDim.x * blockDim.x)
        chain[k] = chain[k] * 0.5f + (float)(link + 1);
    last();
}

/* It touches its piece and nothing else, so that sizes are all that counts. */
__global__ void piece(const float *in, float *out, int n)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
        out[k] = in[k] * 0.25f + 1.0f;
}

/* ---- what was measured ---- */

enum { TRIES = 5 };                                  /* 1, 2, 4, 8, 16 pieces */
static double took_ms[TRIES];
static int told[TRIES];

void took(int pieces, double ms)
{
    for (int i = 0; i < TRIES; i++) {
        if (pieces != 1 << i) continue;
        took_ms[i] = ms;
        told[i]++;
    }
}

static void print_number(const char *name, const char *form, double number)
{
    char value[400];                                 /* as long as the longest number */
    snprintf(value, sizeof value, form, number);
    value_print(name, value);
}

static void print_took(void)
{
    for (int i = 0; i < TRIES; i++) {
        char name[32];
        snprintf(name, sizeof name, "took_%d", 1 << i);
        if (!told[i]) continue;
        print_number(name, "%.2f", took_ms[i]);
        printf("%2d piece%s %.4g ms, by your measurement\n", 1 << i, i ? "s:" : ": ", took_ms[i]);
    }
}

/* ---- what yours is compared with ---- */

static void streams_make(cudaStream_t *streams, int n)
{
    for (int i = 0; i < n; i++) HARNESS_CALL(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
}

static void streams_end(cudaStream_t *streams, int n)
{
    HARNESS_CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) HARNESS_CALL(cudaStreamDestroy(streams[i]));
}

/* Batch by batch. */
static void engine_depth(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t streams[BATCHES];
    streams_make(streams, BATCHES);
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        HARNESS_CALL(cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, streams[i]));
        K<<<BLOCKS, THREADS, 0, streams[i]>>>(d_in + at, d_out + at);
        HARNESS_CALL(cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, streams[i]));
    }
    streams_end(streams, BATCHES);
}

/* Chain by chain. */
static void queue_depth(float *data)
{
    cudaStream_t streams[CHAINS];
    streams_make(streams, CHAINS);
    for (int i = 0; i < CHAINS; i++)
        for (int link = 0; link < LINKS; link++)
            step<<<BLOCKS, THREADS, 0, streams[i]>>>(data + (size_t)i * CHAIN_FLOATS, link);
    streams_end(streams, CHAINS);
}

/* How many pieces are fastest on this machine, measured by the harness. */
static int fastest(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    int best = 0;
    float best_ms = 0;
    cudaStream_t streams[4];                         /* one more than there are lanes: enough */
    cudaEvent_t begin, end;
    streams_make(streams, 4);
    for (int pieces = 1; pieces <= MOST_PIECES; pieces *= 2) {
        HARNESS_CALL(cudaEventCreate(&begin));
        HARNESS_CALL(cudaEventCreate(&end));
        HARNESS_CALL(cudaEventRecord(begin, streams[0]));
        for (int i = 0; i < pieces; i++) {
            size_t at = (size_t)LANE_FLOATS * i / pieces, n = (size_t)LANE_FLOATS * (i + 1) / pieces - at;
            cudaStream_t stream = streams[i % 4];
            HARNESS_CALL(cudaMemcpyAsync(d_in + at, h_in + at, n * sizeof(float), cudaMemcpyHostToDevice, stream));
            piece<<<BLOCKS, THREADS, 0, stream>>>(d_in + at, d_out + at, (int)n);
            HARNESS_CALL(cudaMemcpyAsync(h_out + at, d_out + at, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
        }
        HARNESS_CALL(cudaDeviceSynchronize());
        HARNESS_CALL(cudaEventRecord(end, streams[0]));
        float ms = harness_elapsed(begin, end);
        if (!best || ms < best_ms) best = pieces, best_ms = ms;
    }
    streams_end(streams, 4);
    return best;
}

/* ---- input, and what must come out ---- */

/* The kernels get the length of one copy. */
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

static bool differs(float is, float expected)
{
    return !(fabsf(is - expected) <= 1e-5f * expected);
}

static size_t wrong_batches(const float *h_in, const float *h_out, size_t n)
{
    size_t wrong = 0;
    for (size_t i = 0; i < n; i += STRIDE) wrong += differs(h_out[i], h_in[i] * h_in[i] + 1.0f);
    return wrong;
}

static size_t wrong_chains(const float *first, const float *back)
{
    size_t wrong = 0;
    for (size_t k = 0; k < (size_t)CHAINS * CHAIN_FLOATS; k++) {
        float expected = first[k];
        for (int link = 0; link < LINKS; link++) expected = expected * 0.5f + (float)(link + 1);
        wrong += differs(back[k], expected);
    }
    return wrong;
}

static size_t wrong_lane(const float *h_in, const float *h_out)
{
    size_t wrong = 0;
    for (size_t i = 0; i < LANE_FLOATS; i++) wrong += differs(h_out[i], h_in[i] * 0.25f + 1.0f);
    return wrong;
}

/* Nothing of what is verified next is there yet. */
static void forget(float *h_out, float *d_in, float *d_out, size_t floats)
{
    memset(h_out, 0, floats * sizeof *h_out);
    HARNESS_CALL(cudaMemset(d_in, 0, floats * sizeof *d_in));
    HARNESS_CALL(cudaMemset(d_out, 0, floats * sizeof *d_out));
    HARNESS_CALL(cudaDeviceSynchronize());
}

/* ---- A, B, C ---- */

static void run_engine(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    const size_t floats = (size_t)BATCHES * BATCH_FLOATS;
    forget(h_out, d_in, d_out, floats);
    nvtxRangePushA("engine");
    oneEngine(h_in, h_out, d_in, d_out);
    nvtxRangePop();
    nvtxRangePushA("engine_returned");               /* from here on the results are looked at: all work must be done */
    result_dump_every("batches", h_out, floats, STRIDE);
    size_t wrong = wrong_batches(h_in, h_out, floats);
    nvtxRangePop();
    printf("A: %zu of %zu results are wrong\n", wrong, floats / STRIDE);
    HARNESS_CALL(cudaDeviceSynchronize());
}

static void run_queue(float *chains, const float *first, float *back)
{
    const size_t floats = (size_t)CHAINS * CHAIN_FLOATS, bytes = floats * sizeof(float);
    cudaStream_t stream;
    HARNESS_CALL(cudaMemcpy(chains, first, bytes, cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePushA("queue");
    oneQueue(chains);
    nvtxRangePop();
    HARNESS_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));       /* sees what is there now */
    nvtxRangePushA("queue_returned");
    HARNESS_CALL(cudaMemcpyAsync(back, chains, bytes, cudaMemcpyDeviceToHost, stream));
    HARNESS_CALL(cudaStreamSynchronize(stream));
    result_dump("chains", back, floats);
    nvtxRangePop();
    printf("B: %zu of %zu results are wrong\n", wrong_chains(first, back), floats);
    HARNESS_CALL(cudaStreamDestroy(stream));
    HARNESS_CALL(cudaDeviceSynchronize());
}

static void run_pieces(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < TRIES; i++) {
        char name[32], returned[32];
        snprintf(name, sizeof name, "pieces_%d", 1 << i);
        snprintf(returned, sizeof returned, "returned_%d", 1 << i);
        forget(h_out, d_in, d_out, LANE_FLOATS);
        nvtxRangePushA(name);
        inPieces(h_in, h_out, d_in, d_out, 1 << i);
        nvtxRangePop();
        nvtxRangePushA(returned);
        result_dump(name, h_out, LANE_FLOATS);
        size_t wrong = wrong_lane(h_in, h_out);
        nvtxRangePop();
        if (wrong) printf("C: in %d piece%s %zu of %d results are wrong\n", 1 << i, i ? "s" : "", wrong, LANE_FLOATS);
        HARNESS_CALL(cudaDeviceSynchronize());
    }
    nvtxRangePushA("best");
    int best = bestPieces(h_in, h_out, d_in, d_out);
    nvtxRangePop();
    HARNESS_CALL(cudaDeviceSynchronize());
    print_took();
    print_number("best", "%.0f", best);
    printf("C: the best number of pieces is %d\n", best);
}

int main(void)
{
    static float first[CHAINS * CHAIN_FLOATS], back[CHAINS * CHAIN_FLOATS];
    size_t floats = (size_t)BATCHES * BATCH_FLOATS;
    float *h_in, *h_out, *d_in, *d_out, *chains;
    if (floats < LANE_FLOATS) floats = LANE_FLOATS;
    HARNESS_CALL(cudaMallocHost((void **)&h_in, floats * sizeof(float)));
    HARNESS_CALL(cudaMallocHost((void **)&h_out, floats * sizeof(float)));
    HARNESS_CALL(cudaMalloc((void **)&d_in, floats * sizeof(float)));
    HARNESS_CALL(cudaMalloc((void **)&d_out, floats * sizeof(float)));
    HARNESS_CALL(cudaMalloc((void **)&chains, sizeof first));
    harness_fill(h_in, floats, 49);
    harness_fill(first, CHAINS * CHAIN_FLOATS, 50);
    forget(h_out, d_in, d_out, floats);
    HARNESS_CALL(cudaMemset(chains, 0, sizeof first));

    K<<<BLOCKS, THREADS>>>(d_in, d_out);             /* the first launch of a kernel is slower than the others */
    step<<<BLOCKS, THREADS>>>(chains, 0);
    piece<<<BLOCKS, THREADS>>>(d_in, d_out, LANE_FLOATS);
    HARNESS_CALL(cudaDeviceSynchronize());
    tune(h_in, d_in, d_out);
    nvtxRangePushA("stage");
    HARNESS_CALL(cudaMemcpy(d_in, h_in, BATCH_BYTES, cudaMemcpyHostToDevice));
    nvtxRangePop();
    nvtxRangePushA("lane");                          /* so many bytes have to go in in C */
    HARNESS_CALL(cudaMemcpy(d_in, h_in, LANE_FLOATS * sizeof(float), cudaMemcpyHostToDevice));
    nvtxRangePop();
    nvtxRangePushA("link");
    step<<<BLOCKS, THREADS>>>(chains, 0);
    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePop();

    run_engine(h_in, h_out, d_in, d_out);
    run_queue(chains, first, back);
    run_pieces(h_in, h_out, d_in, d_out);

    nvtxRangePushA("engine_depth");                  /* last: these streams then do not count before yours */
    engine_depth(h_in, h_out, d_in, d_out);
    nvtxRangePop();
    nvtxRangePushA("queue_depth");
    queue_depth(chains);
    nvtxRangePop();
    nvtxRangePushA("fastest");
    print_number("fastest", "%.0f", fastest(h_in, h_out, d_in, d_out));
    nvtxRangePop();

    HARNESS_CALL(cudaFree(chains));
    HARNESS_CALL(cudaFree(d_in));
    HARNESS_CALL(cudaFree(d_out));
    HARNESS_CALL(cudaFreeHost(h_in));
    HARNESS_CALL(cudaFreeHost(h_out));
    return 0;
}
