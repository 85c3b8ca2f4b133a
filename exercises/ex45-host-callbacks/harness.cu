/* harness.cu - exercise 45: main, the kernel, the host's side of the work. Read-only: grading uses its own copy. */
#include "ex45.h"
#include "harness.h"

#define SLOW_US 1000             /* how long collecting a batch takes in the second run */

/* 0 where a kernel lasts as long as a copy anyway; else the kernel spins so that it does. */
__device__ long long spin_cycles;

static float *inputs, *outputs;  /* BATCHES * BATCH_FLOATS each */
static long collect_us;
static bool filling;             /* between the first fillBatch and the last one of a run */

__global__ void work(float *batch)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < BATCH_FLOATS; i += gridDim.x * blockDim.x)
        batch[i] = batch[i] * batch[i] + 1.0f;
    if (spin_cycles > 0 && threadIdx.x == 0) {
        long long begin = clock64();
        while (clock64() - begin < spin_cycles) { }
    }
}

void fillBatch(Buffer *buffer, int batch)
{
    if (batch == 0 && !filling) {
        filling = true;
        nvtxRangePushA("filling");
    }
    buffer->batch = batch;
    if (batch >= 0 && batch < BATCHES) memcpy(buffer->host, inputs + (size_t)batch * BATCH_FLOATS, BATCH_BYTES);
    if (batch == BATCHES - 1 && filling) {
        filling = false;
        nvtxRangePop();
    }
}

void collectBatch(const Buffer *buffer)
{
    int batch = buffer->batch;
    if (batch < 0 || batch >= BATCHES) return;
    float *to = outputs + (size_t)batch * BATCH_FLOATS;
    nvtxRangePushA("collect");
    memcpy(to, buffer->host, BATCH_BYTES / 2);
    if (collect_us > 0) host_work(collect_us);
    memcpy(to + BATCH_FLOATS / 2, buffer->host + BATCH_FLOATS / 2, BATCH_BYTES - BATCH_BYTES / 2);
    nvtxRangePop();
}

/* One buffer, one step after the other. */
static void one_buffer(Buffer *buffer)
{
    for (int i = 0; i < BATCHES; i++) {
        buffer->batch = i;
        memcpy(buffer->host, inputs + (size_t)i * BATCH_FLOATS, BATCH_BYTES);
        if (i == 0) nvtxRangePushA("stage");
        HARNESS_CALL(cudaMemcpy(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice));
        if (i == 0) nvtxRangePop();
        work<<<BLOCKS, THREADS>>>(buffer->device);
        HARNESS_CALL(cudaMemcpy(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost));
        collectBatch(buffer);
    }
}

/* Three stages of equal length make the clearest picture: gives the kernel the length of one copy. */
static void tune(const Buffer *buffer)
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
        work<<<BLOCKS, THREADS>>>(buffer->device);
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

/* The student's function once, in a range of this name; collecting takes us microseconds a batch. */
static void run(const char *name, long us, Buffer *buffers)
{
    const size_t floats = (size_t)BATCHES * BATCH_FLOATS;
    char returned[64];
    size_t wrong = 0;
    memset(outputs, 0, floats * sizeof *outputs);
    collect_us = us;
    nvtxRangePushA(name);
    streamBatches(buffers);
    if (filling) nvtxRangePop();                     /* the last batch was never filled */
    filling = false;
    nvtxRangePop();

    snprintf(returned, sizeof returned, "%s_returned", name);
    nvtxRangePushA(returned);                        /* from here on the outputs are looked at: all must be collected */
    result_dump(name, outputs, floats);
    for (size_t i = 0; i < floats; i++) {
        float expected = inputs[i] * inputs[i] + 1.0f;
        if (!(fabsf(outputs[i] - expected) <= 1e-5f * expected)) wrong++;
    }
    nvtxRangePop();
    printf("%s host function: %zu of %zu results are wrong\n", name, wrong, floats);
    HARNESS_CALL(cudaDeviceSynchronize());
}

int main(void)
{
    const size_t floats = (size_t)BATCHES * BATCH_FLOATS;
    Buffer buffers[BUFFERS];
    inputs = (float *)malloc(floats * sizeof *inputs);
    outputs = (float *)malloc(floats * sizeof *outputs);
    if (!inputs || !outputs) { fputs("out of memory\n", stderr); return 1; }
    harness_fill(inputs, floats, 45);
    for (int b = 0; b < BUFFERS; b++) {
        HARNESS_CALL(cudaMallocHost((void **)&buffers[b].host, BATCH_BYTES));
        HARNESS_CALL(cudaMalloc((void **)&buffers[b].device, BATCH_BYTES));
        HARNESS_CALL(cudaMemset(buffers[b].device, 0, BATCH_BYTES));
        buffers[b].batch = -1;
    }

    harness_shows(buffers, sizeof buffers);

    memset(buffers[0].host, 0, BATCH_BYTES);
    work<<<BLOCKS, THREADS>>>(buffers[0].device);    /* the first launch of a kernel is slower than the others */
    HARNESS_CALL(cudaDeviceSynchronize());
    tune(&buffers[0]);
    nvtxRangePushA("one_buffer");
    one_buffer(&buffers[0]);
    nvtxRangePop();
    for (int b = 0; b < BUFFERS; b++) buffers[b].batch = -1;
    HARNESS_CALL(cudaDeviceSynchronize());

    run("quick", 0, buffers);
    run("slow", SLOW_US, buffers);

    for (int b = 0; b < BUFFERS; b++) {
        HARNESS_CALL(cudaFree(buffers[b].device));
        HARNESS_CALL(cudaFreeHost(buffers[b].host));
    }
    free(inputs);
    free(outputs);
    return 0;
}
