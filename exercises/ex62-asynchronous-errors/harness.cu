/* harness.cu - exercise 62: main, the kernel, the host's side of the work, and what goes wrong. Read-only: grading uses its
 * own copy. */
#include "ex62.h"
#include "harness.h"

#ifndef CAREFUL
#define CAREFUL 0
#endif
enum { NO_FAULT, LAUNCH_FAULT, MEMORY_FAULT, KERNEL_FAULT, EARLIER_FAULT };

/* 0 where a kernel lasts as long as a copy anyway; else the kernel spins so that it does. */
__device__ long long spin_cycles;

#define HOST_FLOATS (BATCH_FLOATS / STRIDE)          /* of each batch */
enum { THREADS = 256, TABLE = 64 };
static float *inputs, *outputs;  /* BATCHES * HOST_FLOATS each */
static float *d_table;
static float blamed[BATCHES + 1];                    /* for each batch 1000 * stage + error; the last: nobody knows */
static bool gone;                                    /* a sticky error has been reported */

__global__ void work(float *device, float *scratch, const float *table)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < HOST_FLOATS; k += gridDim.x * blockDim.x) {
        scratch[k] = device[k * STRIDE] * table[k % TABLE];
        device[k * STRIDE] = scratch[k] + 1.0f;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

size_t scratchOf(int batch)
{
    return FAULT == MEMORY_FAULT && batch == AT ? (size_t)1 << 46 : HOST_FLOATS * sizeof(float);
}

int threadsOf(int batch)
{
    return FAULT == LAUNCH_FAULT && batch == AT ? 2048 : THREADS;
}

const float *tableOf(int batch)
{
    return FAULT == KERNEL_FAULT && batch == AT ? NULL : d_table;
}

void fillBatch(Buffer *buffer, int batch)
{
    buffer->batch = batch;
    if (batch < 0 || batch >= BATCHES) return;
    const float *from = inputs + (size_t)batch * HOST_FLOATS;
    if (STRIDE == 1) memcpy(buffer->host, from, BATCH_BYTES);
    else for (size_t i = 0; i < HOST_FLOATS; i++) buffer->host[i * STRIDE] = from[i];
}

void collectBatch(const Buffer *buffer)
{
    int batch = buffer->batch;
    if (batch < 0 || batch >= BATCHES) return;
    float *to = outputs + (size_t)batch * HOST_FLOATS;
    if (STRIDE == 1) memcpy(to, buffer->host, BATCH_BYTES);
    else for (size_t i = 0; i < HOST_FLOATS; i++) to[i] = buffer->host[i * STRIDE];
}

void report(int batch, int stage, int error)
{
    if (batch < 0 || batch >= BATCHES) batch = BATCHES;
    printf("reported: %s %d, %s, %s\n", batch == BATCHES ? "no batch," : "batch", batch == BATCHES ? -1 : batch,
           stage == ALLOCATE ? "ALLOCATE" : stage == LAUNCH ? "LAUNCH" : "RUN", cudaGetErrorName((cudaError_t)error));
    blamed[batch] += blamed[batch] != 0.0f ? 100000.0f : 1000.0f * (float)stage + (float)error;
    if (stage == RUN && !gone) {
        gone = true;
        nvtxRangePushA("gone");                      /* until runBatches returns */
    }
}

/* Three stages of equal length make the clearest picture: gives the kernel the length of one copy. */
static void tune(const Buffer *buffer, float *scratch)
{
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        cudaEvent_t begin, middle, end;
        float copy_ms = 0;
        HARNESS_CALL(cudaEventCreate(&begin));
        HARNESS_CALL(cudaEventCreate(&middle));
        HARNESS_CALL(cudaEventCreate(&end));
        HARNESS_CALL(cudaEventRecord(begin, 0));
        HARNESS_CALL(cudaMemcpyAsync(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice, 0));
        HARNESS_CALL(cudaEventRecord(middle, 0));
        work<<<BLOCKS, THREADS>>>(buffer->device, scratch, d_table);
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

int main(void)
{
    const size_t floats = (size_t)BATCHES * HOST_FLOATS;
    float table[TABLE], *scratch;
    Buffer buffers[BUFFERS];
    inputs = (float *)malloc(floats * sizeof *inputs);
    outputs = (float *)calloc(floats, sizeof *outputs);
    if (!inputs || !outputs) { fputs("out of memory\n", stderr); return 1; }
    harness_fill(inputs, floats, 62);
    harness_fill(table, TABLE, 63);
    HARNESS_CALL(cudaMalloc((void **)&d_table, sizeof table));
    HARNESS_CALL(cudaMalloc((void **)&scratch, HOST_FLOATS * sizeof(float)));
    HARNESS_CALL(cudaMemcpy(d_table, table, sizeof table, cudaMemcpyHostToDevice));
    for (int b = 0; b < BUFFERS; b++) {
        HARNESS_CALL(cudaMallocHost((void **)&buffers[b].host, BATCH_BYTES));
        HARNESS_CALL(cudaMalloc((void **)&buffers[b].device, BATCH_BYTES));
        HARNESS_CALL(cudaMemset(buffers[b].device, 0, BATCH_BYTES));
        buffers[b].batch = -1;
    }
    harness_shows(buffers, sizeof buffers);

    memset(buffers[0].host, 0, BATCH_BYTES);
    work<<<BLOCKS, THREADS>>>(buffers[0].device, scratch, d_table);    /* the first launch of a kernel is slower */
    HARNESS_CALL(cudaDeviceSynchronize());
    tune(&buffers[0], scratch);
    nvtxRangePushA("stage");
    HARNESS_CALL(cudaMemcpyAsync(buffers[0].device, buffers[0].host, BATCH_BYTES, cudaMemcpyHostToDevice, 0));
    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePop();

    if (FAULT == EARLIER_FAULT) cudaSetDevice(99);   /* nobody looked at what it returned */
    nvtxRangePushA("batches");
    int returned = runBatches(buffers, CAREFUL);
    if (gone) nvtxRangePop();
    nvtxRangePop();
    int left = cudaPeekAtLastError();
    cudaGetLastError();

    /* Of results that came back after the device was lost only rubbish is looked for: how far one gets is luck. */
    float rubbish = 0.0f, ends[2] = {(float)returned, gone ? 0.0f : (float)left};
    size_t collected = 0;
    for (int i = 0; i < BATCHES; i++) {
        bool any = false, wrong = false;
        for (size_t k = 0; k < HOST_FLOATS; k++) {
            size_t at = (size_t)i * HOST_FLOATS + k;
            float expected = inputs[at] * table[k % TABLE] + 1.0f;
            if (outputs[at] != 0.0f) any = true;
            if (!(fabsf(outputs[at] - expected) <= 1e-5f * expected)) wrong = true;
        }
        if (any) collected++;
        if (any && wrong) rubbish += 1.0f;
    }
    nvtxRangePushA("returned");                      /* from here on the outputs are looked at: all must be collected */
    result_dump("blamed", blamed, BATCHES + 1);
    result_dump("ends", ends, 2);
    result_dump("rubbish", &rubbish, 1);
    if (FAULT != KERNEL_FAULT) result_dump("outputs", outputs, floats);
    nvtxRangePop();
    printf("collected: %zu of %d batches, %.0f of them wrong; returned %d (%s)\n", collected, BATCHES, rubbish, returned,
           cudaGetErrorName((cudaError_t)returned));
    if (FAULT == KERNEL_FAULT) return 0;             /* nothing can be freed any more, but by the end of the process */

    HARNESS_CALL(cudaDeviceSynchronize());
    for (int b = 0; b < BUFFERS; b++) {
        HARNESS_CALL(cudaFree(buffers[b].device));
        HARNESS_CALL(cudaFreeHost(buffers[b].host));
    }
    HARNESS_CALL(cudaFree(d_table));
    HARNESS_CALL(cudaFree(scratch));
    free(inputs);
    free(outputs);
    return 0;
}
