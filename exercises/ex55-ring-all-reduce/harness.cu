/* harness.cu - exercise 55: main, the kernel, the other versions. Read-only: grading uses its own copy. */
#include "ex55.h"
#include "harness.h"

#define POINTS (CHUNK / STRIDE)                      /* values of a chunk that count */

/* 0 where a sum lasts as long as a copy anyway; else the kernels spin so that they do. A GPU has one of its own. */
__device__ long long spin_cycles;

__device__ static void last(void)
{
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

__global__ void add(float *sum, const float *more)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < POINTS; k += gridDim.x * blockDim.x)
        sum[(size_t)k * STRIDE] += more[(size_t)k * STRIDE];
    last();
}

/* Puts the values of every chunk of a buffer there, or fetches them. */
__global__ void spread(float *buffer, float *points, int fetch)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < GPUS * POINTS; k += gridDim.x * blockDim.x) {
        float *at = buffer + (size_t)(k / POINTS) * CHUNK + (size_t)(k % POINTS) * STRIDE;
        if (fetch) points[k] = *at;
        else *at = points[k];
    }
}

static const size_t chunk_bytes = (size_t)CHUNK * sizeof(float);
static const size_t point_bytes = (size_t)GPUS * POINTS * sizeof(float);

static Ring ring;
static float *whole[GPUS][2];                        /* for whole buffers on their way */
static float *points[GPUS], *first[GPUS];            /* on the device, on the host */
static cudaStream_t stream[GPUS];

static void synchronize(void)
{
    for (int g = GPUS - 1; g >= 0; g--) {
        HARNESS_CALL(cudaSetDevice(g));
        HARNESS_CALL(cudaDeviceSynchronize());
    }
}

static void fill(void)
{
    for (int g = 0; g < GPUS; g++) {
        HARNESS_CALL(cudaSetDevice(g));
        HARNESS_CALL(cudaMemcpyAsync(points[g], first[g], point_bytes, cudaMemcpyHostToDevice, stream[g]));
        spread<<<BLOCKS, THREADS, 0, stream[g]>>>(ring.data[g], points[g], 0);
        HARNESS_CALL(cudaMemsetAsync(ring.arrives[g], 0, chunk_bytes, stream[g]));
    }
    synchronize();
}

/* Whole buffers round the ring, GPUS - 1 times, with a wait of the host after each step. */
static void whole_buffers(void)
{
    for (int s = 0; s < GPUS - 1; s++) {
        for (int g = 0; g < GPUS; g++) {
            int next = (g + 1) % GPUS;
            HARNESS_CALL(cudaMemcpyPeerAsync(whole[next][s % 2], next, s ? whole[g][1 - s % 2] : ring.data[g], g,
                                             GPUS * chunk_bytes, stream[g]));
        }
        synchronize();
        for (int c = 0; c < GPUS; c++) {
            for (int g = 0; g < GPUS; g++) {
                HARNESS_CALL(cudaSetDevice(g));
                add<<<BLOCKS, THREADS, 0, stream[g]>>>(ring.data[g] + (size_t)c * CHUNK,
                                                       whole[g][s % 2] + (size_t)c * CHUNK);
            }
        }
        synchronize();
    }
}

/* What a sum lasts, or (kernel false) the copy of a chunk. */
static float measure(bool kernel)
{
    cudaEvent_t begin, end;
    HARNESS_CALL(cudaSetDevice(0));
    HARNESS_CALL(cudaEventCreate(&begin));
    HARNESS_CALL(cudaEventCreate(&end));
    HARNESS_CALL(cudaEventRecord(begin, stream[0]));
    if (kernel) add<<<BLOCKS, THREADS, 0, stream[0]>>>(ring.data[0], ring.arrives[0]);
    else HARNESS_CALL(cudaMemcpyPeerAsync(ring.arrives[1], 1, ring.data[0], 0, chunk_bytes, stream[0]));
    HARNESS_CALL(cudaEventRecord(end, stream[0]));
    return harness_elapsed(begin, end);
}

static void tune(void)
{
    float copy_ms = measure(false);
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        more = harness_spin_cycles(measure(true), copy_ms);
        cycles += more;
        for (int g = 0; g < GPUS && more; g++) {
            HARNESS_CALL(cudaSetDevice(g));
            HARNESS_CALL(cudaMemcpyToSymbol(spin_cycles, &cycles, sizeof cycles));
            HARNESS_CALL(cudaDeviceSynchronize());
        }
    }
}

static void step(void)
{
    cudaEvent_t arrived;
    HARNESS_CALL(cudaSetDevice(0));
    HARNESS_CALL(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
    HARNESS_CALL(cudaMemcpyPeerAsync(ring.arrives[1], 1, ring.data[0], 0, chunk_bytes, stream[0]));
    HARNESS_CALL(cudaEventRecord(arrived, stream[0]));
    HARNESS_CALL(cudaSetDevice(1));
    HARNESS_CALL(cudaStreamWaitEvent(stream[1], arrived, 0));
    add<<<BLOCKS, THREADS, 0, stream[1]>>>(ring.data[1], ring.arrives[1]);
    synchronize();
    HARNESS_CALL(cudaEventDestroy(arrived));
}

/* What arrives on GPU 1 is sent on. */
static void pass_on(void)
{
    int second = 2 % GPUS;
    cudaEvent_t arrived;
    HARNESS_CALL(cudaSetDevice(0));
    HARNESS_CALL(cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming));
    HARNESS_CALL(cudaMemcpyPeerAsync(ring.arrives[1], 1, ring.data[0], 0, chunk_bytes, stream[0]));
    HARNESS_CALL(cudaEventRecord(arrived, stream[0]));
    HARNESS_CALL(cudaStreamWaitEvent(stream[1], arrived, 0));
    HARNESS_CALL(cudaMemcpyPeerAsync(ring.arrives[second], second, ring.arrives[1], 1, chunk_bytes, stream[1]));
    synchronize();
    HARNESS_CALL(cudaEventDestroy(arrived));
}

static void make(void)
{
    for (int g = 0; g < GPUS; g++) {
        HARNESS_CALL(cudaSetDevice(g));
        HARNESS_CALL(cudaMalloc((void **)&ring.data[g], GPUS * chunk_bytes));
        HARNESS_CALL(cudaMalloc((void **)&ring.arrives[g], chunk_bytes));
        HARNESS_CALL(cudaMalloc((void **)&points[g], point_bytes));
        HARNESS_CALL(cudaStreamCreateWithFlags(&stream[g], cudaStreamNonBlocking));
        HARNESS_CALL(cudaMallocHost((void **)&first[g], point_bytes));
        harness_fill(first[g], GPUS * POINTS, (uint64_t)g + 1);
        for (int b = 0; b < 2; b++) {
            HARNESS_CALL(cudaMalloc((void **)&whole[g][b], GPUS * chunk_bytes));
            HARNESS_CALL(cudaMemset(whole[g][b], 0, GPUS * chunk_bytes));
        }
        HARNESS_CALL(cudaMemset(ring.data[g], 0, GPUS * chunk_bytes));
        for (int peer = 0; peer < GPUS; peer++) {
            int access = 0;
            HARNESS_CALL(cudaDeviceCanAccessPeer(&access, g, peer));
            if (access) HARNESS_CALL(cudaDeviceEnablePeerAccess(peer, 0));
        }
    }
    synchronize();
}

static void release(void)
{
    for (int g = 0; g < GPUS; g++) {
        HARNESS_CALL(cudaFree(ring.data[g]));
        HARNESS_CALL(cudaFree(ring.arrives[g]));
        HARNESS_CALL(cudaFree(points[g]));
        HARNESS_CALL(cudaFreeHost(first[g]));
        HARNESS_CALL(cudaStreamDestroy(stream[g]));
        for (int b = 0; b < 2; b++) HARNESS_CALL(cudaFree(whole[g][b]));
    }
}

int main(void)
{
    float *back[GPUS];
    int gpus = 0;
    size_t wrong = 0;
    HARNESS_CALL(cudaGetDeviceCount(&gpus));
    if (gpus < GPUS) {
        fprintf(stderr, "this exercise needs %d GPUs\n", GPUS);
        return 1;
    }
    make();
    for (int g = 0; g < GPUS; g++) HARNESS_CALL(cudaMallocHost((void **)&back[g], point_bytes));
    fill();
    whole_buffers();                                 /* the first of everything is slower than the others */
    tune();
    fill();
    nvtxRangePushA("stage");                         /* a copy alone */
    HARNESS_CALL(cudaMemcpyPeerAsync(ring.arrives[1], 1, ring.data[0], 0, chunk_bytes, stream[0]));
    synchronize();
    nvtxRangePop();
    nvtxRangePushA("step");                          /* a copy, an event, a sum on the next GPU */
    step();
    nvtxRangePop();
    nvtxRangePushA("pass_on");                       /* two copies, and an event between them */
    pass_on();
    nvtxRangePop();
    nvtxRangePushA("whole");
    whole_buffers();
    nvtxRangePop();
    fill();

    nvtxRangePushA("ring");
    allReduce(ring);
    nvtxRangePop();

    nvtxRangePushA("returned");                      /* from here on the results are looked at: all work must be done */
    for (int g = 0; g < GPUS; g++) {
        HARNESS_CALL(cudaSetDevice(g));
        spread<<<BLOCKS, THREADS, 0, stream[g]>>>(ring.data[g], points[g], 1);
        HARNESS_CALL(cudaMemcpyAsync(back[g], points[g], point_bytes, cudaMemcpyDeviceToHost, stream[g]));
        HARNESS_CALL(cudaStreamSynchronize(stream[g]));
    }
    nvtxRangePop();
    for (int g = 0; g < GPUS; g++) {
        char name[16];
        snprintf(name, sizeof name, "gpu%d", g);
        result_dump(name, back[g], GPUS * POINTS);
        for (int k = 0; k < GPUS * POINTS; k++) {
            float is = 0.0f;
            for (int other = 0; other < GPUS; other++) is += first[other][k];
            if (!(fabsf(back[g][k] - is) <= 1e-5f * is)) wrong++;
        }
    }
    printf("%zu of %d sums are wrong\n", wrong, GPUS * GPUS * POINTS);
    synchronize();
    for (int g = 0; g < GPUS; g++) HARNESS_CALL(cudaFreeHost(back[g]));
    release();
    return 0;
}
