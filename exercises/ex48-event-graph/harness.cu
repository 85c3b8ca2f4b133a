/* harness.cu - exercise 48: main, the kernels, the other two versions. Read-only: grading uses its own copy. */
#include "ex48.h"
#include "harness.h"

#define KERNEL_MS 1.0f           /* how long a kernel lasts */

/* 0 where a kernel lasts that long anyway; else the kernels spin so that they do. */
__device__ long long spin_cycles;

__device__ static void last(void)
{
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

/* Part i of `to`, from `from`; every row has a factor of its own. */
__device__ static void make_part(float *to, const float *from, int i, float factor)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < PART; k += gridDim.x * blockDim.x)
        to[(size_t)i * PART + k] = from[k] * factor + (float)(i + 1);
    last();
}

__global__ void A(float *a, int i)
{
    make_part(a, i ? a + (size_t)(i - 1) * PART : a, i, 0.5f);
}

__global__ void B(float *b, const float *a, int i)
{
    make_part(b, i ? b + (size_t)(i - 1) * PART : a + (size_t)EDGE_AB * PART, i, 0.25f);
}

__global__ void C(float *c, int i)
{
    make_part(c, i ? c + (size_t)(i - 1) * PART : c, i, 0.75f);
}

__global__ void D(float *d, const float *b, int i)
{
    make_part(d, i ? d + (size_t)(i - 1) * PART : b + (size_t)EDGE_BD * PART, i, 0.125f);
}

static const int lengths[4] = {A_LEN, B_LEN, C_LEN, D_LEN};

/* The rows' memory on the device, and what it holds at first. */
typedef struct Rows {
    float *at[4];
    float first[2][PART];        /* of a and c */
} Rows;

static size_t row_bytes(int row)
{
    return (size_t)lengths[row] * PART * sizeof(float);
}

static void rows_fill(const Rows *rows)
{
    for (int row = 0; row < 4; row++) HARNESS_CALL(cudaMemset(rows->at[row], 0, row_bytes(row)));
    HARNESS_CALL(cudaMemcpy(rows->at[0], rows->first[0], sizeof rows->first[0], cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaMemcpy(rows->at[2], rows->first[1], sizeof rows->first[1], cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaDeviceSynchronize());
}

static void launch_row(const Rows *rows, int row, int i, cudaStream_t stream)
{
    float *const *at = rows->at;
    switch (row) {
    case 0: A<<<BLOCKS, THREADS, 0, stream>>>(at[0], i); break;
    case 1: B<<<BLOCKS, THREADS, 0, stream>>>(at[1], at[0], i); break;
    case 2: C<<<BLOCKS, THREADS, 0, stream>>>(at[2], i); break;
    default: D<<<BLOCKS, THREADS, 0, stream>>>(at[3], at[1], i); break;
    }
}

static void run_row(const Rows *rows, int row, cudaStream_t stream)
{
    for (int i = 0; i < lengths[row]; i++) launch_row(rows, row, i, stream);
}

static void one_stream(const Rows *rows, cudaStream_t stream)
{
    for (int row = 0; row < 4; row++) run_row(rows, row, stream);
    HARNESS_CALL(cudaStreamSynchronize(stream));
}

static void host_waits(const Rows *rows)
{
    cudaStream_t streams[4];
    for (int row = 0; row < 4; row++) HARNESS_CALL(cudaStreamCreateWithFlags(&streams[row], cudaStreamNonBlocking));
    run_row(rows, 0, streams[0]);
    HARNESS_CALL(cudaStreamSynchronize(streams[0]));
    run_row(rows, 1, streams[1]);
    HARNESS_CALL(cudaStreamSynchronize(streams[1]));
    run_row(rows, 2, streams[2]);
    run_row(rows, 3, streams[3]);
    HARNESS_CALL(cudaDeviceSynchronize());
    for (int row = 0; row < 4; row++) HARNESS_CALL(cudaStreamDestroy(streams[row]));
}

static void tune(const Rows *rows, cudaStream_t stream)
{
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        cudaEvent_t begin, end;
        HARNESS_CALL(cudaEventCreate(&begin));
        HARNESS_CALL(cudaEventCreate(&end));
        HARNESS_CALL(cudaEventRecord(begin, stream));
        launch_row(rows, 0, 0, stream);
        HARNESS_CALL(cudaEventRecord(end, stream));
        more = harness_spin_cycles(harness_elapsed(begin, end), KERNEL_MS);
        cycles += more;
        if (more) HARNESS_CALL(cudaMemcpyToSymbol(spin_cycles, &cycles, sizeof cycles));
        HARNESS_CALL(cudaDeviceSynchronize());       /* it may still be on its way, in the default stream */
    }
}

/* What the rows must hold at the end: `row` of them, from the part that its first node needs. */
static size_t count_wrong(const float *back, int row, const float *from, float factor)
{
    size_t wrong = 0;
    for (int i = 0; i < lengths[row]; i++) {
        for (int k = 0; k < PART; k++) {
            float is = from[k] * factor + (float)(i + 1);
            if (!(fabsf(back[(size_t)i * PART + k] - is) <= 1e-5f * is)) wrong++;
        }
        from = back + (size_t)i * PART;
    }
    return wrong;
}

/* The longest way through the graph, in kernels. */
static int longest(void)
{
    int b = EDGE_AB + 1, d = b + EDGE_BD + 1, most = A_LEN;
    if (b + B_LEN > most) most = b + B_LEN;
    if (d + D_LEN > most) most = d + D_LEN;
    return C_LEN > most ? C_LEN : most;
}

int main(void)
{
    static Rows rows;
    static const char *const names[4] = {"a", "b", "c", "d"};
    float *back[4];
    char value[64];
    size_t wrong = 0;
    cudaStream_t stream;                             /* the harness's own; it takes no part in the default stream */
    HARNESS_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int row = 0; row < 4; row++) {
        HARNESS_CALL(cudaMalloc((void **)&rows.at[row], row_bytes(row)));
        HARNESS_CALL(cudaMallocHost((void **)&back[row], row_bytes(row)));
    }
    harness_fill(rows.first[0], PART, 1);
    harness_fill(rows.first[1], PART, 2);
    rows_fill(&rows);

    one_stream(&rows, stream);                       /* the first launch of a kernel is slower than the others */
    rows_fill(&rows);
    tune(&rows, stream);
    nvtxRangePushA("stage");
    launch_row(&rows, 0, 0, stream);
    HARNESS_CALL(cudaStreamSynchronize(stream));
    nvtxRangePop();
    nvtxRangePushA("one_stream");
    one_stream(&rows, stream);
    nvtxRangePop();
    rows_fill(&rows);

    snprintf(value, sizeof value, "%d", longest());
    value_print("longest", value);
    nvtxRangePushA("graph");
    runGraph(rows.at[0], rows.at[1], rows.at[2], rows.at[3]);
    nvtxRangePop();

    nvtxRangePushA("returned");                      /* from here on the results are looked at: all work must be done */
    for (int row = 0; row < 4; row++)
        HARNESS_CALL(cudaMemcpyAsync(back[row], rows.at[row], row_bytes(row), cudaMemcpyDeviceToHost, stream));
    HARNESS_CALL(cudaStreamSynchronize(stream));
    nvtxRangePop();
    for (int row = 0; row < 4; row++) result_dump(names[row], back[row], (size_t)lengths[row] * PART);
    wrong += count_wrong(back[0], 0, rows.first[0], 0.5f);
    wrong += count_wrong(back[1], 1, back[0] + (size_t)EDGE_AB * PART, 0.25f);
    wrong += count_wrong(back[2], 2, rows.first[1], 0.75f);
    wrong += count_wrong(back[3], 3, back[1] + (size_t)EDGE_BD * PART, 0.125f);
    printf("%zu of %d results are wrong\n", wrong, (A_LEN + B_LEN + C_LEN + D_LEN) * PART);

    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePushA("host_waits");                    /* last: its streams then do not count before yours */
    host_waits(&rows);
    nvtxRangePop();
    for (int row = 0; row < 4; row++) {
        HARNESS_CALL(cudaFree(rows.at[row]));
        HARNESS_CALL(cudaFreeHost(back[row]));
    }
    HARNESS_CALL(cudaStreamDestroy(stream));
    return 0;
}
