/* harness.cu - exercise 45: main, the kernel, the host's side of the work. Read-only: grading uses its own copy. */
#include "ex45.h"
#include "harness.h"

/* 0 where a kernel lasts as long as a copy anyway; else the kernel spins so that it does. */
__device__ long long spin_cycles;

#define HOST_FLOATS (BATCH_FLOATS / HOST_STRIDE)     /* of each batch */
static float *inputs, *outputs;  /* BATCHES * HOST_FLOATS each */
static long collect_us;
static bool filling;             /* between the first fillBatch and the last one of a run */

__global__ void work(float *batch)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < BATCH_FLOATS / HOST_STRIDE; k += gridDim.x * blockDim.x) {
        int i = k * HOST_STRIDE;
        batch[i] = batch[i] * batch[i] + 1.0f;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

/* The host's floats of a buffer, to and from where they are kept. */
static void put(float *buffer, const float *from)
{
    if (HOST_STRIDE == 1) memcpy(buffer, from, BATCH_BYTES);
    else for (size_t i = 0; i < HOST_FLOATS; i++) buffer[i * HOST_STRIDE] = from[i];
}
static void get(float *to, const float *buffer, size_t first, size_t end)
{
    if (HOST_STRIDE == 1) memcpy(to + first, buffer + first, (end - first) * sizeof *to);
    else for (size_t i = first; i < end; i++) to[i] = buffer[i * HOST_STRIDE];
}

void fillBatch(Buffer *buffer, int batch)
{
    if (batch == 0 && !filling) {
        filling = true;
        nvtxRangePushA("filling");
    }
    buffer->batch = batch;
    float *host = buffer->host;
    if (batch >= 0 && batch < BATCHES) {
        harness_needs(host, BATCH_BYTES);
        put(host, inputs + (size_t)batch * HOST_FLOATS);
    }
    if (batch == BATCHES - 1 && filling) {
        filling = false;
        nvtxRangePop();
    }
}

void collectBatch(const Buffer *buffer)
{
    int batch = buffer->batch;
    if (batch < 0 || batch >= BATCHES) return;
    float *to = outputs + (size_t)batch * HOST_FLOATS;
    const float *host = buffer->host;    /* read once: the buffer is the student's, and time passes here */
    harness_needs(host, BATCH_BYTES);
    nvtxRangePushA("collect");
    get(to, host, 0, HOST_FLOATS / 2);
    if (collect_us > 0) host_work(collect_us);
    get(to, host, HOST_FLOATS / 2, HOST_FLOATS);
    nvtxRangePop();
}

/* One buffer, one step after the other. */
static void one_buffer(Buffer *buffer)
{
    for (int i = 0; i < BATCHES; i++) {
        buffer->batch = i;
        put(buffer->host, inputs + (size_t)i * HOST_FLOATS);
        if (i == 0) nvtxRangePushA("stage");
        HARNESS_CALL(cudaMemcpy(buffer->device, buffer->host, BATCH_BYTES, cudaMemcpyHostToDevice));
        if (i == 0) nvtxRangePop();
        work<<<BLOCKS, THREADS>>>(buffer->device);
        HARNESS_CALL(cudaMemcpy(buffer->host, buffer->device, BATCH_BYTES, cudaMemcpyDeviceToHost));
        collectBatch(buffer);
    }
}

/* Three stages of equal length make the clearest picture: gives the kernel the length of one copy, and returns it. */
static float tune(const Buffer *buffer)
{
    long long cycles = 0, more = 1;
    float copy_ms = 0;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        cudaEvent_t begin, middle, end;
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
    return copy_ms;
}

/* The student's function once, in a range of this name; collecting takes us microseconds a batch. */
static void run(const char *name, long us, Buffer *buffers)
{
    const size_t floats = (size_t)BATCHES * HOST_FLOATS;
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
    const size_t floats = (size_t)BATCHES * HOST_FLOATS;
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
    float copy_ms = tune(&buffers[0]);
    nvtxRangePushA("one_buffer");
    one_buffer(&buffers[0]);
    nvtxRangePop();
    for (int b = 0; b < BUFFERS; b++) buffers[b].batch = -1;
    HARNESS_CALL(cudaDeviceSynchronize());

    run("quick", 0, buffers);
    run("slow", (long)(copy_ms * 1000.0f + 0.5f), buffers);      /* collecting a batch takes as long as a copy */

    for (int b = 0; b < BUFFERS; b++) {
        HARNESS_CALL(cudaFree(buffers[b].device));
        HARNESS_CALL(cudaFreeHost(buffers[b].host));
    }
    free(inputs);
    free(outputs);
    return 0;
}
