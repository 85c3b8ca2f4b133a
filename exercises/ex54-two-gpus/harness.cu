/* harness.cu - exercise 54: main, the kernels, the other versions. Read-only: grading uses its own copy. */
#include "ex54.h"
#include "harness.h"

#define POINTS (FLOATS / STRIDE)                     /* values that F and L make of a microbatch */

/* 0 where a kernel lasts as long as a copy anyway; else the kernels spin so that they do. A GPU has one of its own. */
__device__ long long spin_cycles;

__device__ static void last(void)
{
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

__global__ void F(float *activations, const float *input, int i)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < POINTS; k += gridDim.x * blockDim.x)
        activations[(size_t)k * STRIDE] = input[k] * 0.5f + (float)(i + 1);
    last();
}

__global__ void L(float *results, const float *activations, int i)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < POINTS; k += gridDim.x * blockDim.x)
        results[(size_t)i * POINTS + k] = activations[(size_t)k * STRIDE] * 0.25f + (float)(i + 1);
    last();
}

typedef struct Memory {
    float *input, *send[2];                          /* of GPU 0 */
    float *receive[2], *results;                     /* of GPU 1 */
    cudaStream_t compute[2], link;                   /* the harness's own */
} Memory;

static const size_t copy_bytes = (size_t)FLOATS * sizeof(float);
static const size_t all_points = (size_t)MICROBATCHES * POINTS;

static void synchronize(void)
{
    for (int gpu = 1; gpu >= 0; gpu--) {
        HARNESS_CALL(cudaSetDevice(gpu));
        HARNESS_CALL(cudaDeviceSynchronize());
    }
}

/* A microbatch, with a wait of the host after each step; the last one is left to the next. */
static void host_waits(const Memory *m)
{
    for (int i = 0; i < MICROBATCHES; i++) {
        HARNESS_CALL(cudaSetDevice(0));
        F<<<BLOCKS, THREADS, 0, m->compute[0]>>>(m->send[0], m->input, i);
        HARNESS_CALL(cudaStreamSynchronize(m->compute[0]));
        HARNESS_CALL(cudaMemcpyPeerAsync(m->receive[0], 1, m->send[0], 0, copy_bytes, m->link));
        HARNESS_CALL(cudaStreamSynchronize(m->link));
        HARNESS_CALL(cudaSetDevice(1));
        L<<<BLOCKS, THREADS, 0, m->compute[1]>>>(m->results, m->receive[0], i);
        HARNESS_CALL(cudaStreamSynchronize(m->compute[1]));
    }
}

/* One microbatch, from GPU to GPU by events. */
static void one_microbatch(const Memory *m)
{
    cudaEvent_t made, arrived;
    HARNESS_CALL(cudaSetDevice(0));
    HARNESS_CALL(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    HARNESS_CALL(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
    F<<<BLOCKS, THREADS, 0, m->compute[0]>>>(m->send[0], m->input, 0);
    HARNESS_CALL(cudaEventRecord(made, m->compute[0]));
    HARNESS_CALL(cudaStreamWaitEvent(m->link, made, 0));
    HARNESS_CALL(cudaMemcpyPeerAsync(m->receive[0], 1, m->send[0], 0, copy_bytes, m->link));
    HARNESS_CALL(cudaEventRecord(arrived, m->link));
    HARNESS_CALL(cudaSetDevice(1));
    HARNESS_CALL(cudaStreamWaitEvent(m->compute[1], arrived, 0));
    L<<<BLOCKS, THREADS, 0, m->compute[1]>>>(m->results, m->receive[0], 0);
    HARNESS_CALL(cudaStreamSynchronize(m->compute[1]));
    HARNESS_CALL(cudaEventDestroy(made));
    HARNESS_CALL(cudaEventDestroy(arrived));
}

/* One buffer at each end, and events that give it back. */
static void one_buffer(const Memory *m)
{
    cudaEvent_t made, arrived, read;
    HARNESS_CALL(cudaSetDevice(0));
    HARNESS_CALL(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    HARNESS_CALL(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
    HARNESS_CALL(cudaSetDevice(1));
    HARNESS_CALL(cudaEventCreateWithFlags(&read, cudaEventDisableTiming));
    for (int i = 0; i < MICROBATCHES; i++) {
        HARNESS_CALL(cudaSetDevice(0));
        if (i) HARNESS_CALL(cudaStreamWaitEvent(m->compute[0], arrived, 0));
        F<<<BLOCKS, THREADS, 0, m->compute[0]>>>(m->send[0], m->input, i);
        HARNESS_CALL(cudaEventRecord(made, m->compute[0]));
        HARNESS_CALL(cudaStreamWaitEvent(m->link, made, 0));
        if (i) HARNESS_CALL(cudaStreamWaitEvent(m->link, read, 0));
        HARNESS_CALL(cudaMemcpyPeerAsync(m->receive[0], 1, m->send[0], 0, copy_bytes, m->link));
        HARNESS_CALL(cudaEventRecord(arrived, m->link));
        HARNESS_CALL(cudaSetDevice(1));
        HARNESS_CALL(cudaStreamWaitEvent(m->compute[1], arrived, 0));
        L<<<BLOCKS, THREADS, 0, m->compute[1]>>>(m->results, m->receive[0], i);
        HARNESS_CALL(cudaEventRecord(read, m->compute[1]));
    }
    HARNESS_CALL(cudaStreamSynchronize(m->compute[1]));
    HARNESS_CALL(cudaEventDestroy(made));
    HARNESS_CALL(cudaEventDestroy(arrived));
    HARNESS_CALL(cudaEventDestroy(read));
}

/* What a kernel lasts, or (kernel false) a copy. */
static float measure(const Memory *m, bool kernel)
{
    cudaStream_t stream = kernel ? m->compute[0] : m->link;
    cudaEvent_t begin, end;
    HARNESS_CALL(cudaSetDevice(0));
    HARNESS_CALL(cudaEventCreate(&begin));
    HARNESS_CALL(cudaEventCreate(&end));
    HARNESS_CALL(cudaEventRecord(begin, stream));
    if (kernel) F<<<BLOCKS, THREADS, 0, stream>>>(m->send[0], m->input, 0);
    else HARNESS_CALL(cudaMemcpyPeerAsync(m->receive[0], 1, m->send[0], 0, copy_bytes, stream));
    HARNESS_CALL(cudaEventRecord(end, stream));
    return harness_elapsed(begin, end);
}

/* F and L last as long as a copy. */
static void tune(const Memory *m)
{
    float copy_ms = measure(m, false);
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        more = harness_spin_cycles(measure(m, true), copy_ms);
        cycles += more;
        for (int gpu = 0; gpu < 2 && more; gpu++) {
            HARNESS_CALL(cudaSetDevice(gpu));
            HARNESS_CALL(cudaMemcpyToSymbol(spin_cycles, &cycles, sizeof cycles));
            HARNESS_CALL(cudaDeviceSynchronize());
        }
    }
}

static void clear(const Memory *m)
{
    HARNESS_CALL(cudaSetDevice(1));
    HARNESS_CALL(cudaMemset(m->results, 0, all_points * sizeof(float)));
    for (int b = 0; b < 2; b++) HARNESS_CALL(cudaMemset(m->receive[b], 0, copy_bytes));
    HARNESS_CALL(cudaSetDevice(0));
    for (int b = 0; b < 2; b++) HARNESS_CALL(cudaMemset(m->send[b], 0, copy_bytes));
    synchronize();
}

static void make(Memory *m, const float *first)
{
    HARNESS_CALL(cudaSetDevice(0));
    HARNESS_CALL(cudaMalloc((void **)&m->input, POINTS * sizeof(float)));
    HARNESS_CALL(cudaMemcpy(m->input, first, POINTS * sizeof(float), cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaStreamCreateWithFlags(&m->link, cudaStreamNonBlocking));
    for (int b = 0; b < 2; b++) HARNESS_CALL(cudaMalloc((void **)&m->send[b], copy_bytes));
    HARNESS_CALL(cudaSetDevice(1));
    for (int b = 0; b < 2; b++) HARNESS_CALL(cudaMalloc((void **)&m->receive[b], copy_bytes));
    HARNESS_CALL(cudaMalloc((void **)&m->results, all_points * sizeof(float)));
    for (int gpu = 0; gpu < 2; gpu++) {
        HARNESS_CALL(cudaSetDevice(gpu));
        HARNESS_CALL(cudaStreamCreateWithFlags(&m->compute[gpu], cudaStreamNonBlocking));
    }
}

static void release(const Memory *m)
{
    HARNESS_CALL(cudaFree(m->input));
    HARNESS_CALL(cudaFree(m->results));
    for (int i = 0; i < 2; i++) {
        HARNESS_CALL(cudaFree(m->send[i]));
        HARNESS_CALL(cudaFree(m->receive[i]));
        HARNESS_CALL(cudaStreamDestroy(m->compute[i]));
    }
    HARNESS_CALL(cudaStreamDestroy(m->link));
}

int main(void)
{
    static float first[POINTS];
    float *back;
    Memory m;
    int gpus = 0, access = 0;
    size_t wrong = 0;
    HARNESS_CALL(cudaGetDeviceCount(&gpus));
    if (gpus < 2) {
        fprintf(stderr, "this exercise needs two GPUs\n");
        return 1;
    }
    harness_fill(first, POINTS, 1);
    make(&m, first);
    HARNESS_CALL(cudaMallocHost((void **)&back, all_points * sizeof(float)));
    clear(&m);

    nvtxRangePushA("staged");                        /* without access a copy goes through the host */
    HARNESS_CALL(cudaMemcpyPeerAsync(m.receive[0], 1, m.send[0], 0, copy_bytes, m.link));
    HARNESS_CALL(cudaStreamSynchronize(m.link));
    nvtxRangePop();
    HARNESS_CALL(cudaDeviceCanAccessPeer(&access, 0, 1));
    for (int gpu = 0; gpu < 2 && access; gpu++) {
        HARNESS_CALL(cudaSetDevice(gpu));
        HARNESS_CALL(cudaDeviceEnablePeerAccess(1 - gpu, 0));
    }

    host_waits(&m);                                  /* the first of everything is slower than the others */
    tune(&m);
    synchronize();
    nvtxRangePushA("stage");
    HARNESS_CALL(cudaMemcpyPeerAsync(m.receive[0], 1, m.send[0], 0, copy_bytes, m.link));
    HARNESS_CALL(cudaStreamSynchronize(m.link));
    nvtxRangePop();
    nvtxRangePushA("through");                       /* 3 units, and what events between GPUs cost */
    one_microbatch(&m);
    nvtxRangePop();
    nvtxRangePushA("host_waits");
    host_waits(&m);
    nvtxRangePop();
    nvtxRangePushA("one_buffer");
    one_buffer(&m);
    nvtxRangePop();
    clear(&m);

    nvtxRangePushA("pipeline");
    pipeline(m.input, m.send[0], m.send[1], m.receive[0], m.receive[1], m.results);
    nvtxRangePop();
    HARNESS_CALL(cudaSetDevice(1));
    nvtxRangePushA("returned");                      /* from here on the results are looked at: all work must be done */
    HARNESS_CALL(cudaMemcpyAsync(back, m.results, all_points * sizeof(float), cudaMemcpyDeviceToHost, m.compute[1]));
    HARNESS_CALL(cudaStreamSynchronize(m.compute[1]));
    nvtxRangePop();

    result_dump("results", back, all_points);
    for (int i = 0; i < MICROBATCHES; i++) {
        for (int k = 0; k < POINTS; k++) {
            float is = (first[k] * 0.5f + (float)(i + 1)) * 0.25f + (float)(i + 1);
            if (!(fabsf(back[(size_t)i * POINTS + k] - is) <= 1e-5f * is)) wrong++;
        }
    }
    printf("%zu of %zu results are wrong\n", wrong, all_points);
    synchronize();
    release(&m);
    HARNESS_CALL(cudaFreeHost(back));
    return 0;
}
