/* harness.cu - exercise 50: main, the kernel, the host's side, the version that fills the device. Read-only: grading uses
 * its own copy. */
#include "ex50.h"
#include "harness.h"

#define KERNEL_MS 1              /* how long a kernel lasts that has enough blocks */
#define BATCHES (STREAMS * ROUNDS)
#define SPREAD (COUNTS / BINS)   /* from one bin to the next, so that little memory holds many results */

__constant__ unsigned places[STREAMS][VALUES];
__device__ long long kernel_cycles;
__device__ int enough_threads;

static unsigned *collect_from;   /* h_counts */
static float collected[BATCHES][BINS];

/* The driver's calls have an error type of their own. */
#define DRIVER_CALL(call) driver_call((call), #call, __FILE__, __LINE__)
static void driver_call(CUresult result, const char *text, const char *file, int line)
{
    const char *name = NULL;
    if (result == CUDA_SUCCESS) return;
    cuGetErrorName(result, &name);
    fflush(stdout);
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, text, name ? name : "an error that has no name");
    exit(1);
}

__global__ void count(int k, unsigned *counts)
{
    int threads = gridDim.x * blockDim.x, slower = (enough_threads + threads - 1) / threads;
    if (k < 0 || k >= STREAMS) return;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < VALUES; i += threads)
        atomicAdd(&counts[(size_t)(places[k][i] % BINS) * SPREAD], 1u);
    if (threadIdx.x == 0) {                          /* one holds its whole block */
        long long begin = clock64(), cycles = kernel_cycles * (slower > 1 ? slower : 1);
        while (clock64() - begin < cycles) { }
    }
}

void CUDA_CB received(void *place)
{
    size_t at = (size_t)((unsigned *)place - collect_from), batch = at / COUNTS;
    if (at % COUNTS != 0 || batch >= BATCHES) return;
    for (int bin = 0; bin < BINS; bin++)
        collected[batch][bin] = (float)collect_from[at + (size_t)bin * SPREAD];
}

/* Everything of a batch in its stream, and a kernel that fills the device. */
static void filled(CUfunction kernel, CUdeviceptr values, CUdeviceptr counts, const unsigned *h_values,
                   unsigned *h_counts, int full)
{
    CUstream stream[STREAMS];
    for (int k = 0; k < STREAMS; k++) DRIVER_CALL(cuStreamCreate(&stream[k], CU_STREAM_NON_BLOCKING));
    for (int i = 0; i < BATCHES; i++) {
        int k = i % STREAMS;
        CUdeviceptr to = counts + k * COUNTS_BYTES;
        void *arguments[] = {&k, &to};
        DRIVER_CALL(cuMemcpyHtoDAsync(values + k * VALUES_BYTES, h_values + i * VALUES, VALUES_BYTES, stream[k]));
        DRIVER_CALL(cuMemsetD8Async(to, 0, COUNTS_BYTES, stream[k]));
        DRIVER_CALL(cuLaunchKernel(kernel, full, 1, 1, THREADS, 1, 1, 0, stream[k], arguments, NULL));
        DRIVER_CALL(cuMemcpyDtoHAsync(h_counts + (size_t)i * COUNTS, to, COUNTS_BYTES, stream[k]));
        DRIVER_CALL(cuLaunchHostFunc(stream[k], received, h_counts + (size_t)i * COUNTS));
    }
    for (int k = 0; k < STREAMS; k++) DRIVER_CALL(cuStreamSynchronize(stream[k]));
    for (int k = 0; k < STREAMS; k++) DRIVER_CALL(cuStreamDestroy(stream[k]));
}

/* How many blocks the device holds at once; the kernel learns how long it has to last. */
static int prepare(CUfunction kernel)
{
    int sms, per_sm, khz, enough;
    long long cycles;
    DRIVER_CALL(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    DRIVER_CALL(cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0));
    DRIVER_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, THREADS, 0));
    cycles = (long long)KERNEL_MS * khz;
    enough = sms * per_sm * THREADS / 4 * 3;
    HARNESS_CALL(cudaMemcpyToSymbol(kernel_cycles, &cycles, sizeof cycles));
    HARNESS_CALL(cudaMemcpyToSymbol(enough_threads, &enough, sizeof enough));
    return sms * per_sm;
}

static size_t count_wrong(const unsigned *h_values)
{
    size_t wrong = 0;
    for (int i = 0; i < BATCHES; i++) {
        float expected[BINS] = {0};
        for (int j = 0; j < VALUES; j++) expected[h_values[i * VALUES + j] % BINS]++;
        for (int bin = 0; bin < BINS; bin++) wrong += collected[i][bin] != expected[bin];
    }
    return wrong;
}

static void forget(CUdeviceptr counts, unsigned *h_counts)
{
    memset(collected, 0, sizeof collected);
    memset(h_counts, 0, BATCHES * COUNTS_BYTES);
    DRIVER_CALL(cuMemsetD8(counts, 0x55, STREAMS * COUNTS_BYTES));       /* no zeroes by chance */
    DRIVER_CALL(cuCtxSynchronize());
}

int main(void)
{
    CUcontext context;
    CUfunction kernel;
    CUstream stream;                                 /* the harness's own */
    CUdeviceptr counts;
    unsigned *h_values, *h_counts;
    void *values;
    uint64_t random = harness_seed(50);

    DRIVER_CALL(cuInit(0));
    DRIVER_CALL(cuDevicePrimaryCtxRetain(&context, 0));         /* the runtime's, too; it goes with the process */
    DRIVER_CALL(cuCtxSetCurrent(context));
    HARNESS_CALL(cudaGetFuncBySymbol(&kernel, (const void *)count));
    HARNESS_CALL(cudaGetSymbolAddress(&values, places));
    harness_shows(values, sizeof places);            /* a variable of the harness's, which your function is given */
    DRIVER_CALL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRIVER_CALL(cuMemAlloc(&counts, STREAMS * COUNTS_BYTES));
    DRIVER_CALL(cuMemHostAlloc((void **)&h_values, BATCHES * VALUES_BYTES,
                               CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_WRITECOMBINED));
    DRIVER_CALL(cuMemHostAlloc((void **)&h_counts, BATCHES * COUNTS_BYTES, CU_MEMHOSTALLOC_PORTABLE));
    for (size_t i = 0; i < BATCHES * VALUES; i++) h_values[i] = (unsigned)(harness_next(&random) >> 33);
    collect_from = h_counts;

    int full = prepare(kernel);
    forget(counts, h_counts);
    CUdeviceptr to = counts;
    int k = 0;
    void *arguments[] = {&k, &to};                   /* the first launch of a kernel is slower than the others */
    DRIVER_CALL(cuLaunchKernel(kernel, full, 1, 1, THREADS, 1, 1, 0, stream, arguments, NULL));
    DRIVER_CALL(cuStreamSynchronize(stream));
    nvtxRangePushA("stage");
    DRIVER_CALL(cuLaunchKernel(kernel, full, 1, 1, THREADS, 1, 1, 0, stream, arguments, NULL));
    DRIVER_CALL(cuStreamSynchronize(stream));
    nvtxRangePop();

    forget(counts, h_counts);
    nvtxRangePushA("task");
    countBatches((CUdeviceptr)values, counts, h_values, h_counts, full);
    nvtxRangePop();
    nvtxRangePushA("returned");                      /* from here on the results are looked at: all work must be done */
    result_dump("counts", collected[0], BATCHES * BINS);
    printf("%zu of %d results are wrong\n", count_wrong(h_values), BATCHES * BINS);
    nvtxRangePop();

    DRIVER_CALL(cuCtxSynchronize());
    forget(counts, h_counts);
    nvtxRangePushA("filled");                        /* last: its streams then do not count before yours */
    filled(kernel, (CUdeviceptr)values, counts, h_values, h_counts, full);
    nvtxRangePop();

    DRIVER_CALL(cuMemFree(counts));
    DRIVER_CALL(cuMemFreeHost(h_values));
    DRIVER_CALL(cuMemFreeHost(h_counts));
    DRIVER_CALL(cuStreamDestroy(stream));
    return 0;
}
