/* harness.cu - exercise 63: main, the kernels, and the program that needs memory. Read-only: grading uses its own copy. */
#include "ex63.h"
#include "harness.h"

#define BLOCKS 64
#define THREADS 256
#define PARTS (16 * THREADS)
#define HALF (FLOATS / 2)
#define BYTES (FLOATS * sizeof(float))
#define SLAB_BYTES ((size_t)(STEPS + 1) * 3 * BYTES)   /* enough for who never gives a block out twice */

/* 0 where a kernel lasts as long as a copy anyway; else the kernels spin so that they do. */
__device__ long long spin_cycles;

__device__ static void last(void)
{
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

/* n floats each. */
__global__ void fwd(float *y, const float *x, int n)
{
    for (int k = (blockIdx.x * blockDim.x + threadIdx.x) * STRIDE; k < n; k += gridDim.x * blockDim.x * STRIDE)
        y[k] = x[k] * 0.5f + 1.0f;
    last();
}

/* n floats of x and y, half as many of z and of the weights. */
__global__ void bwd(float *z, const float *y, const float *x, const float *weights, int n)
{
    for (int k = (blockIdx.x * blockDim.x + threadIdx.x) * STRIDE; k < n / 2; k += gridDim.x * blockDim.x * STRIDE)
        z[k] = y[k] * weights[k] + x[k];
    last();
}

/* PARTS parts of z, and the greatest number of each. */
__global__ void peak(float *peaks, const float *z, int n)
{
    float most = 0;
    int part = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = part * STRIDE; k < n; k += PARTS * STRIDE)
        if (z[k] > most) most = z[k];
    peaks[part] = most;
    last();
}

/* What the program works with, besides the blocks that it asks for. */
typedef struct Program {
    cudaStream_t copy, compute, back, peaks;
    cudaEvent_t arrived, computed;
    cudaEvent_t sent[LAG];                   /* the last thing that a step does in `back` ... */
    cudaEvent_t looked[LAG + 1];             /* ... and in `peaks`, where the host lets it be a step later */
    float *h_weights;
    float *h_batch;                          /* the loader's buffer, pinned: refilled when its batch has arrived */
    float *h_out;
    float *d_peaks;
} Program;

/* Who looks at what the student's functions give out. */
typedef struct Desk {
    char *spare;
    size_t spare_used;
    struct { char *from, *to; const char *name; } held[4];
    char *own[STEPS];                        /* where the blocks for y were: those that one stream uses */
    int own_count;
    char *first, *end;                       /* of what was given out, the outermost bytes */
    size_t asked;
    int requests, bad;
} Desk;
static Desk desk;
static char *slab;

enum { X, Y, Z, WEIGHTS };

/* A block as the program has it: what was given, and where the program puts its data. */
typedef struct Piece {
    void *given;
    float *at;
} Piece;

/* The word for what is wrong with a block, or NULL. Where it overlaps another one, that one's name. */
static const char *what_is_wrong(const char *from, size_t bytes, const char **other)
{
    *other = "";
    if (!from) return "is NULL";
    if ((uintptr_t)from < (uintptr_t)slab || (uintptr_t)from >= (uintptr_t)slab + SLAB_BYTES)
        return "is not in the slab";
    if (SLAB_BYTES - (size_t)((uintptr_t)from - (uintptr_t)slab) < bytes) return "reaches beyond the slab's end";
    if ((uintptr_t)from % ALIGNED) return "does not begin at a multiple of ALIGNED bytes";
    for (int i = 0; i < 4; i++) {
        if (!desk.held[i].from || desk.held[i].to <= from || desk.held[i].from >= from + bytes) continue;
        *other = desk.held[i].name;
        return "overlaps a block that is still held, ";
    }
    return NULL;
}

static void count_own(char *from)
{
    for (int i = 0; i < desk.own_count; i++)
        if (desk.own[i] == from) return;
    desk.own[desk.own_count++] = from;
}

/* Block `which` of a step: asks for it, and takes memory of its own when what comes back is of no use. */
static Piece request(int step, int which, size_t bytes, cudaStream_t stream)
{
    static const char *const names[] = {"x", "y", "z", "the weights"};
    const char *other, *wrong;
    Piece piece;
    nvtxRangePushA("allocator");
    piece.given = allocate(bytes, stream);
    nvtxRangePop();
    piece.at = (float *)piece.given;
    desk.asked += bytes;
    desk.requests++;

    char *from = (char *)piece.given;
    wrong = what_is_wrong(from, bytes, &other);
    if (wrong) {
        desk.bad++;
        if (which != WEIGHTS) printf("step %d: ", step);
        printf("the block for %s (%zu bytes) %s%s\n", names[which], bytes, wrong, other);
        piece.at = (float *)(desk.spare + desk.spare_used);
        desk.spare_used += (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
        return piece;
    }
    desk.held[which].from = from;
    desk.held[which].to = from + bytes;
    desk.held[which].name = names[which];
    if (which == Y) count_own(from);
    if (!desk.first || from < desk.first) desk.first = from;
    if (!desk.end || from + bytes > desk.end) desk.end = from + bytes;
    return piece;
}

static void used_in(Piece piece, cudaStream_t stream)
{
    nvtxRangePushA("allocator");
    if (piece.given) recordStream(piece.given, stream);
    nvtxRangePop();
}

static void give_back(Piece piece, int which)
{
    desk.held[which].from = NULL;
    nvtxRangePushA("allocator");
    if (piece.given) release(piece.given);
    nvtxRangePop();
}

/* Two steps of each length, from the shortest to FLOATS, and again. */
static int floats_of(int step)
{
    return FLOATS - (LENGTHS - 1 - step / 2 % LENGTHS) * LESS;
}

static void one_step(const Program *p, int step, const float *weights)
{
    int n = floats_of(step);
    size_t bytes = n * sizeof(float);
    Piece x, y, z;
    harness_fill_every(p->h_batch, n, STRIDE, 63 + step);

    x = request(step, X, bytes, p->copy);
    HARNESS_CALL(cudaMemcpyAsync(x.at, p->h_batch, bytes, cudaMemcpyHostToDevice, p->copy));
    HARNESS_CALL(cudaEventRecord(p->arrived, p->copy));
    HARNESS_CALL(cudaStreamWaitEvent(p->compute, p->arrived, 0));
    used_in(x, p->compute);

    y = request(step, Y, bytes, p->compute);
    used_in(y, p->compute);
    fwd<<<BLOCKS, THREADS, 0, p->compute>>>(y.at, x.at, n);
    z = request(step, Z, n / 2 * sizeof(float), p->compute);
    bwd<<<BLOCKS, THREADS, 0, p->compute>>>(z.at, y.at, x.at, weights, n);
    give_back(y, Y);
    give_back(x, X);

    HARNESS_CALL(cudaEventRecord(p->computed, p->compute));
    HARNESS_CALL(cudaStreamWaitEvent(p->back, p->computed, 0));
    HARNESS_CALL(cudaStreamWaitEvent(p->peaks, p->computed, 0));
    HARNESS_CALL(cudaMemcpyAsync(p->h_out + (size_t)step * HALF, z.at, n / 2 * sizeof(float), cudaMemcpyDeviceToHost,
                                 p->back));
    peak<<<PARTS / THREADS, THREADS, 0, p->peaks>>>(p->d_peaks + step * PARTS, z.at, n / 2);
    used_in(z, step % 2 ? p->peaks : p->back);
    used_in(z, step % 2 ? p->back : p->peaks);
    give_back(z, Z);

    HARNESS_CALL(cudaEventRecord(p->sent[step % LAG], p->back));
    HARNESS_CALL(cudaEventRecord(p->looked[step % (LAG + 1)], p->peaks));
}

static void all_steps(const Program *p, const float *weights)
{
    char name[32];
    for (int step = 0; step < STEPS; step++) {
        if (step > 0) HARNESS_CALL(cudaEventSynchronize(p->arrived));            /* the loader's buffer is free again */
        if (step >= LAG) HARNESS_CALL(cudaEventSynchronize(p->sent[step % LAG]));
        if (step > LAG) HARNESS_CALL(cudaEventSynchronize(p->looked[step % (LAG + 1)]));
        snprintf(name, sizeof name, "step%d", step);
        nvtxRangePushA(name);
        one_step(p, step, weights);
        nvtxRangePop();
    }
    HARNESS_CALL(cudaDeviceSynchronize());
}

/* The kernels get the length of one copy. x and y are in the slab, which nobody has been given yet. */
static void tune(const Program *p, float *x, float *y)
{
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        cudaEvent_t begin, middle, end;
        float copy_ms = 0;
        HARNESS_CALL(cudaEventCreate(&begin));
        HARNESS_CALL(cudaEventCreate(&middle));
        HARNESS_CALL(cudaEventCreate(&end));
        HARNESS_CALL(cudaEventRecord(begin, p->compute));
        HARNESS_CALL(cudaMemcpyAsync(x, p->h_batch, BYTES, cudaMemcpyHostToDevice, p->compute));
        HARNESS_CALL(cudaEventRecord(middle, p->compute));
        fwd<<<BLOCKS, THREADS, 0, p->compute>>>(y, x, FLOATS);
        HARNESS_CALL(cudaEventRecord(end, p->compute));
        HARNESS_CALL(cudaEventSynchronize(end));
        HARNESS_CALL(cudaEventElapsedTime(&copy_ms, begin, middle));
        HARNESS_CALL(cudaEventDestroy(begin));
        more = harness_spin_cycles(harness_elapsed(middle, end), copy_ms);
        cycles += more;
        if (more) HARNESS_CALL(cudaMemcpyToSymbol(spin_cycles, &cycles, sizeof cycles));
        HARNESS_CALL(cudaDeviceSynchronize());       /* it may still be on its way */
    }
}

/* The first launch of a kernel is slower than the others. Then one stage alone: the unit of this machine. */
static void warm_up(const Program *p)
{
    float *x = (float *)slab, *y = x + FLOATS, *z = y + FLOATS, *w = z + HALF;
    HARNESS_CALL(cudaMemset(slab, 0, SLAB_BYTES));
    HARNESS_CALL(cudaDeviceSynchronize());
    fwd<<<BLOCKS, THREADS, 0, p->compute>>>(y, x, FLOATS);
    bwd<<<BLOCKS, THREADS, 0, p->compute>>>(z, y, x, w, FLOATS);
    peak<<<PARTS / THREADS, THREADS, 0, p->compute>>>(p->d_peaks, z, HALF);
    HARNESS_CALL(cudaStreamSynchronize(p->compute));
    tune(p, x, y);
    nvtxRangePushA("stage");
    HARNESS_CALL(cudaMemcpyAsync(x, p->h_batch, BYTES, cudaMemcpyHostToDevice, p->copy));
    HARNESS_CALL(cudaStreamSynchronize(p->copy));
    nvtxRangePop();
    HARNESS_CALL(cudaMemset(p->d_peaks, 0, STEPS * PARTS * sizeof(float)));
    HARNESS_CALL(cudaDeviceSynchronize());
}

/* How many of a step's results are not what its batch gives. */
static size_t count_wrong(const Program *p, const float *peaks, int step)
{
    const float *z = p->h_out + (size_t)step * HALF;
    float most[PARTS] = {0};
    int n = floats_of(step);
    size_t wrong = 0;
    harness_fill_every(p->h_batch, n, STRIDE, 63 + step);
    for (int k = 0; k < n / 2; k += STRIDE) {
        float x = p->h_batch[k], expected = (x * 0.5f + 1.0f) * p->h_weights[k] + x;
        if (!(fabsf(z[k] - expected) <= 1e-5f * expected)) wrong++;
        if (expected > most[k / STRIDE % PARTS]) most[k / STRIDE % PARTS] = expected;
    }
    for (int i = 0; i < PARTS; i++)
        if (!(fabsf(peaks[step * PARTS + i] - most[i]) <= 1e-5f * most[i])) wrong++;
    return wrong;
}

static void print_values(void)
{
    char value[64];
    snprintf(value, sizeof value, "%d", desk.bad);
    value_print("unusable_blocks", value);
    snprintf(value, sizeof value, "%d", desk.own_count > LENGTHS ? desk.own_count - LENGTHS : 0);
    value_print("needless_blocks", value);
    snprintf(value, sizeof value, "%d", desk.requests);
    value_print("requests", value);
    snprintf(value, sizeof value, "%zu", desk.asked / 1024);
    value_print("asked", value);
    snprintf(value, sizeof value, "%zu", (size_t)(desk.end - desk.first) / 1024);
    value_print("taken", value);
}

static void program_begin(Program *p)
{
    cudaStream_t *const streams[] = {&p->copy, &p->compute, &p->back, &p->peaks};
    for (int i = 0; i < STREAMS; i++) HARNESS_CALL(cudaStreamCreateWithFlags(streams[i], cudaStreamNonBlocking));
    HARNESS_CALL(cudaEventCreateWithFlags(&p->arrived, cudaEventDisableTiming));
    HARNESS_CALL(cudaEventCreateWithFlags(&p->computed, cudaEventDisableTiming));
    for (int i = 0; i < LAG; i++) HARNESS_CALL(cudaEventCreateWithFlags(&p->sent[i], cudaEventDisableTiming));
    for (int i = 0; i < LAG + 1; i++) HARNESS_CALL(cudaEventCreateWithFlags(&p->looked[i], cudaEventDisableTiming));
    HARNESS_CALL(cudaMallocHost((void **)&p->h_batch, BYTES));
    HARNESS_CALL(cudaMallocHost((void **)&p->h_out, STEPS * BYTES / 2));
    HARNESS_CALL(cudaMalloc((void **)&p->d_peaks, STEPS * PARTS * sizeof(float)));
    HARNESS_CALL(cudaMallocHost((void **)&p->h_weights, BYTES / 2));
    memset(p->h_batch, 0, BYTES);
    memset(p->h_weights, 0, BYTES / 2);
    harness_fill_every(p->h_weights, HALF, STRIDE, 62);
    memset(p->h_out, 0, STEPS * BYTES / 2);
}

static void program_end(const Program *p)
{
    const cudaStream_t streams[] = {p->copy, p->compute, p->back, p->peaks};
    for (int i = 0; i < STREAMS; i++) HARNESS_CALL(cudaStreamDestroy(streams[i]));
    HARNESS_CALL(cudaEventDestroy(p->arrived));
    HARNESS_CALL(cudaEventDestroy(p->computed));
    for (int i = 0; i < LAG; i++) HARNESS_CALL(cudaEventDestroy(p->sent[i]));
    for (int i = 0; i < LAG + 1; i++) HARNESS_CALL(cudaEventDestroy(p->looked[i]));
    HARNESS_CALL(cudaFreeHost(p->h_batch));
    HARNESS_CALL(cudaFreeHost(p->h_out));
    HARNESS_CALL(cudaFreeHost(p->h_weights));
    HARNESS_CALL(cudaFree(p->d_peaks));
}

int main(void)
{
    static Program program;
    float *peaks;
    size_t wrong = 0;
    Piece weights;
    program_begin(&program);
    HARNESS_CALL(cudaMallocHost((void **)&peaks, STEPS * PARTS * sizeof(float)));
    HARNESS_CALL(cudaMalloc((void **)&slab, SLAB_BYTES));
    HARNESS_CALL(cudaMalloc((void **)&desk.spare, SLAB_BYTES));
    warm_up(&program);

    allocatorStart(slab, SLAB_BYTES);
    weights = request(0, WEIGHTS, BYTES / 2, program.compute);       /* held from the first step to the last */
    HARNESS_CALL(cudaMemcpyAsync(weights.at, program.h_weights, BYTES / 2, cudaMemcpyHostToDevice, program.compute));
    HARNESS_CALL(cudaStreamSynchronize(program.compute));
    nvtxRangePushA("steps");
    all_steps(&program, weights.at);
    nvtxRangePop();
    give_back(weights, WEIGHTS);
    allocatorStop();

    HARNESS_CALL(cudaMemcpy(peaks, program.d_peaks, STEPS * PARTS * sizeof(float), cudaMemcpyDeviceToHost));
    for (int step = 0; step < STEPS; step++) wrong += count_wrong(&program, peaks, step);
    result_dump_every("z", program.h_out, (size_t)STEPS * HALF, STRIDE);
    result_dump("peaks", peaks, STEPS * PARTS);
    print_values();
    printf("%zu results are wrong\n", wrong);
    if (desk.own_count > LENGTHS)
        printf("y had %d different blocks; %d would have been enough\n", desk.own_count, LENGTHS);

    HARNESS_CALL(cudaFreeHost(peaks));
    HARNESS_CALL(cudaFree(slab));
    HARNESS_CALL(cudaFree(desk.spare));
    program_end(&program);
    return 0;
}
