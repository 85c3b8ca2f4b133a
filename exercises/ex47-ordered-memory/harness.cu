/* harness.cu - exercise 47: main, the kernels, the version with cudaMalloc. Read-only: grading uses its own copy. */
#include "ex47.h"
#include "harness.h"

#define STEPS (GROWTHS + 1)

/* 0 where a kernel lasts as long as a copy anyway; else K, and the cache's kernels, spin so that they do. */
__device__ long long spin_request, spin_step;
__device__ unsigned long long scratch_at[REQUESTS];  /* where each request's scratch memory lay */

__device__ static void last(long long cycles)
{
    if (blockIdx.x == 0 && threadIdx.x == 0 && cycles > 0) {           /* one is enough: the kernel lasts as long */
        long long begin = clock64();
        while (clock64() - begin < cycles) { }
    }
}

__global__ void K(float *scratch, int i)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < LENGTH(i) / STRIDE; k += gridDim.x * blockDim.x)
        scratch[(size_t)k * STRIDE] = scratch[(size_t)k * STRIDE] * scratch[(size_t)k * STRIDE] + 1.0f;
    if (blockIdx.x == 0 && threadIdx.x == 0 && i >= 0 && i < REQUESTS) scratch_at[i] = (unsigned long long)scratch;
    last(spin_request);
}

__global__ void append(float *cache, const float *tokens, int s)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < PART; k += gridDim.x * blockDim.x)
        cache[(size_t)s * PART + k] = (s ? cache[(size_t)(s - 1) * PART + k] * 0.5f : 0.0f) + tokens[(size_t)s * PART + k];
    last(spin_step);
}

__global__ void grow(float *larger, const float *cache, int s)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < (s + 1) * PART; k += gridDim.x * blockDim.x) larger[k] = cache[k];
    last(spin_step);
}

__global__ void summary(float *sums, const float *cache, int s)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < PART; k += gridDim.x * blockDim.x) {
        float sum = 0.0f;
        for (int part = 0; part <= s; part++) sum += cache[(size_t)part * PART + k];
        sums[(size_t)s * PART + k] = sum;
    }
    last(spin_step);
}

/* The host waits in each cudaFree. */
static void waiting(const float *h_in, float *h_out)
{
    cudaStream_t stream[STREAMS];
    for (int k = 0; k < STREAMS; k++) HARNESS_CALL(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
    nvtxRangePushA("waiting");
    for (int i = 0; i < REQUESTS; i++) {
        cudaStream_t mine = stream[i % STREAMS];
        size_t at = (size_t)i * REQUEST_FLOATS;
        float *scratch;
        HARNESS_CALL(cudaMalloc((void **)&scratch, REQUEST_BYTES(i)));
        HARNESS_CALL(cudaMemcpyAsync(scratch, h_in + at, REQUEST_BYTES(i), cudaMemcpyHostToDevice, mine));
        K<<<BLOCKS, THREADS, 0, mine>>>(scratch, i);
        HARNESS_CALL(cudaMemcpyAsync(h_out + at, scratch, REQUEST_BYTES(i), cudaMemcpyDeviceToHost, mine));
        HARNESS_CALL(cudaFree(scratch));
    }
    nvtxRangePop();
    for (int k = 0; k < STREAMS; k++) HARNESS_CALL(cudaStreamDestroy(stream[k]));
}

/* All kernels get the length of one copy. */
static void tune(const float *h_in, float *d_data, float *d_cache, const float *d_tokens)
{
    long long request = 0, step = 0, more = 1, more_step = 1;
    for (int round = 0; round < 4 && (more || more_step) && request >= 0 && step >= 0; round++) {
        cudaEvent_t at[4];
        float copy_ms = 0, request_ms = 0;
        for (int k = 0; k < 4; k++) HARNESS_CALL(cudaEventCreate(&at[k]));
        HARNESS_CALL(cudaEventRecord(at[0], 0));
        HARNESS_CALL(cudaMemcpyAsync(d_data, h_in, REQUEST_BYTES(0), cudaMemcpyHostToDevice, 0));
        HARNESS_CALL(cudaEventRecord(at[1], 0));
        K<<<BLOCKS, THREADS>>>(d_data, 0);
        HARNESS_CALL(cudaEventRecord(at[2], 0));
        append<<<BLOCKS, THREADS>>>(d_cache, d_tokens, 0);
        HARNESS_CALL(cudaEventRecord(at[3], 0));
        HARNESS_CALL(cudaEventSynchronize(at[3]));
        HARNESS_CALL(cudaEventElapsedTime(&copy_ms, at[0], at[1]));
        HARNESS_CALL(cudaEventElapsedTime(&request_ms, at[1], at[2]));
        more_step = harness_spin_cycles(harness_elapsed(at[2], at[3]), copy_ms);
        more = harness_spin_cycles(request_ms, copy_ms);
        for (int k = 0; k < 2; k++) HARNESS_CALL(cudaEventDestroy(at[k]));
        request += more;
        step += more_step;
        if (more) HARNESS_CALL(cudaMemcpyToSymbol(spin_request, &request, sizeof request));
        if (more_step) HARNESS_CALL(cudaMemcpyToSymbol(spin_step, &step, sizeof step));
        HARNESS_CALL(cudaDeviceSynchronize());       /* it may still be on its way */
    }
}

static size_t wrong_requests(const float *h_in, const float *h_out)
{
    size_t wrong = 0;
    for (int i = 0; i < REQUESTS; i++)
        for (size_t k = 0, at = (size_t)i * REQUEST_FLOATS; k < (size_t)LENGTH(i); k += STRIDE) {
            float expected = h_in[at + k] * h_in[at + k] + 1.0f;
            if (!(fabsf(h_out[at + k] - expected) <= 1e-5f * expected)) wrong++;
        }
    return wrong;
}

static size_t wrong_sums(const float *tokens, const float *sums)
{
    size_t wrong = 0;
    for (int k = 0; k < PART; k++) {
        float last = 0.0f, sum = 0.0f;
        for (int s = 0; s < STEPS; s++) {
            last = last * 0.5f + tokens[(size_t)s * PART + k];
            sum += last;
            if (!(fabsf(sums[(size_t)s * PART + k] - sum) <= 1e-5f * sum)) wrong++;
        }
    }
    return wrong;
}

/* How many places in memory the requests had for their scratch memory. */
static int count_places(void)
{
    unsigned long long at[REQUESTS];
    int places = 0;
    HARNESS_CALL(cudaMemcpyFromSymbol(at, scratch_at, sizeof at));
    for (int i = 0; i < REQUESTS; i++) {
        int before = 0;
        while (before < i && at[before] != at[i]) before++;
        if (before == i && at[i]) places++;
    }
    return places;
}

/* How much the pool still has, after a synchronization, of what as many requests as run at once need; in percent. */
static int pool_keeps(void)
{
    cudaMemPool_t pool;
    uint64_t reserved = 0, needed = 0;
    HARNESS_CALL(cudaDeviceSynchronize());
    HARNESS_CALL(cudaDeviceGetMemPool(&pool, 0));
    HARNESS_CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    for (int i = 0; i < STREAMS && i < REQUESTS; i++) needed += REQUEST_BYTES(i);
    printf("After the first round, and a synchronization, the pool has %.1f MiB\n", (double)reserved / 1048576.0);
    return reserved >= needed ? 100 : (int)(reserved * 100 / needed);
}

static void print_number(const char *name, int number)
{
    char value[32];
    snprintf(value, sizeof value, "%d", number);
    value_print(name, value);
}

int main(void)
{
    const size_t floats = (size_t)REQUESTS * REQUEST_FLOATS, bytes = floats * sizeof(float);
    const size_t parts = (size_t)STEPS * PART, parts_bytes = parts * sizeof(float);
    static float tokens[(GROWTHS + 1) * PART], sums[(GROWTHS + 1) * PART];
    float *h_in, *h_out, *d_data, *d_tokens, *d_sums, *d_cache;
    HARNESS_CALL(cudaMallocHost((void **)&h_in, bytes));
    HARNESS_CALL(cudaMallocHost((void **)&h_out, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_data, REQUEST_BYTES(0)));
    HARNESS_CALL(cudaMalloc((void **)&d_tokens, parts_bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_sums, parts_bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_cache, 2 * parts_bytes));
    memset(h_in, 0, bytes);
    memset(h_out, 0, bytes);
    harness_fill_every(h_in, floats, STRIDE, 47);
    harness_fill(tokens, parts, 48);
    HARNESS_CALL(cudaMemcpy(d_tokens, tokens, parts_bytes, cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaMemset(d_sums, 0, parts_bytes));
    HARNESS_CALL(cudaMemcpy(d_data, h_in, REQUEST_BYTES(0), cudaMemcpyHostToDevice));

    K<<<BLOCKS, THREADS>>>(d_data, 0);               /* the first launch of a kernel is slower than the others */
    append<<<BLOCKS, THREADS>>>(d_cache, d_tokens, 0);
    grow<<<BLOCKS, THREADS>>>(d_cache + parts, d_cache, 0);
    summary<<<BLOCKS, THREADS>>>(d_sums, d_cache, 0);
    HARNESS_CALL(cudaMemset(d_sums, 0, parts_bytes));
    HARNESS_CALL(cudaDeviceSynchronize());
    tune(h_in, d_data, d_cache, d_tokens);
    nvtxRangePushA("stage");
    HARNESS_CALL(cudaMemcpyAsync(d_data, h_in, REQUEST_BYTES(0), cudaMemcpyHostToDevice, 0));
    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePop();

    nvtxRangePushA("rounds");
    preparePool();
    serveRequests(h_in, h_out);                      /* the pool grows */
    int keeps = pool_keeps();
    value_print("kept", keeps == 100 ? "YES" : "NO");
    print_number("percent_kept", keeps);
    memset(h_out, 0, bytes);

    nvtxRangePushA("requests");
    serveRequests(h_in, h_out);
    nvtxRangePop();
    nvtxRangePop();
    nvtxRangePushA("requests_returned");             /* from here on the results are looked at: all work must be done */
    print_number("places", count_places());
    result_dump_every("requests", h_out, floats, STRIDE);
    printf("serveRequests: %zu results are wrong\n", wrong_requests(h_in, h_out));
    nvtxRangePop();
    HARNESS_CALL(cudaDeviceSynchronize());

    nvtxRangePushA("cache");
    growCache(d_tokens, d_sums);
    nvtxRangePop();
    nvtxRangePushA("cache_returned");
    HARNESS_CALL(cudaMemcpy(sums, d_sums, parts_bytes, cudaMemcpyDeviceToHost));
    result_dump("sums", sums, parts);
    printf("growCache: %zu results are wrong\n", wrong_sums(tokens, sums));
    nvtxRangePop();

    HARNESS_CALL(cudaDeviceSynchronize());
    waiting(h_in, h_out);                            /* last: its streams then do not count before yours */
    HARNESS_CALL(cudaFree(d_cache));
    HARNESS_CALL(cudaFree(d_sums));
    HARNESS_CALL(cudaFree(d_tokens));
    HARNESS_CALL(cudaFree(d_data));
    HARNESS_CALL(cudaFreeHost(h_in));
    HARNESS_CALL(cudaFreeHost(h_out));
    return 0;
}
