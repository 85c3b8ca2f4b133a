/* harness.cu - exercise 43: main, the kernel, the sequential version. Read-only: grading uses its own copy. */
#include "ex43.h"
#include "harness.h"

/* 0 where a kernel lasts as long as a copy anyway; else the kernel spins so that it does. */
__device__ long long spin_cycles;

__global__ void work(const float *in, float *out)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < BATCH_FLOATS / STRIDE; k += gridDim.x * blockDim.x) {
        int i = k * STRIDE;
        out[i] = in[i] * in[i] + 1.0f;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

/* Three stages of equal length make the clearest picture: gives the kernel the length of one copy. */
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
        work<<<BLOCKS, THREADS>>>(d_in, d_out);
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

/* One step after the other, the host waiting for each. */
static void sequential(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        if (i == 0) nvtxRangePushA("stage");
        HARNESS_CALL(cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice));
        if (i == 0) nvtxRangePop();
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        HARNESS_CALL(cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost));
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

int main(void)
{
    const size_t floats = (size_t)BATCHES * BATCH_FLOATS, bytes = floats * sizeof(float);
    float *h_in, *h_out, *d_in, *d_out;
    HARNESS_CALL(cudaMallocHost((void **)&h_in, bytes));
    HARNESS_CALL(cudaMallocHost((void **)&h_out, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_in, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_out, bytes));
    memset(h_in, 0, bytes);
    harness_fill_every(h_in, floats, STRIDE, 43);
    HARNESS_CALL(cudaMemset(d_in, 0, bytes));
    if (STRIDE > 1) HARNESS_CALL(cudaMemset(d_out, 0, bytes));       /* what work leaves out comes back as well */

    work<<<BLOCKS, THREADS>>>(d_in, d_out);          /* the first launch of a kernel is slower than the others */
    HARNESS_CALL(cudaDeviceSynchronize());
    tune(h_in, d_in, d_out);

    nvtxRangePushA("sequential");
    sequential(h_in, h_out, d_in, d_out);
    nvtxRangePop();

    memset(h_out, 0, bytes);
    HARNESS_CALL(cudaMemset(d_in, 0, bytes));
    HARNESS_CALL(cudaMemset(d_out, 0, bytes));
    HARNESS_CALL(cudaDeviceSynchronize());

    nvtxRangePushA("pipelined");
    asyncPipeline(h_in, h_out, d_in, d_out);
    nvtxRangePop();

    nvtxRangePushA("returned");                      /* from here on every result is looked at: all work must be done */
    result_dump_every("h_out", h_out, floats, STRIDE);
    size_t wrong = count_wrong(h_in, h_out, floats);
    nvtxRangePop();
    printf("%d batches of %d floats: %zu of %zu results are wrong\n", BATCHES, BATCH_FLOATS, wrong, floats / STRIDE);

    HARNESS_CALL(cudaDeviceSynchronize());
    HARNESS_CALL(cudaFree(d_in));
    HARNESS_CALL(cudaFree(d_out));
    HARNESS_CALL(cudaFreeHost(h_in));
    HARNESS_CALL(cudaFreeHost(h_out));
    return 0;
}
