/* harness.cu - exercise 56: main, the kernels, the version without graphs. Read-only: grading uses its own copy. */
#include "ex56.h"
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

#define EACH(k) for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < COUNT; k += gridDim.x * blockDim.x)

__global__ void K1(float *x, float rate)
{
    EACH(k) x[k] = x[k] * rate + 1.0f;
    last();
}

__global__ void K2(float *left, const float *x)
{
    EACH(k) left[k] = x[k] * 0.5f;
    last();
}

__global__ void K3(float *left)
{
    EACH(k) left[k] = left[k] + 3.0f;
    last();
}

__global__ void K4(float *right, const float *x)
{
    EACH(k) right[k] = x[k] * 0.25f;
    last();
}

__global__ void K5(float *right)
{
    EACH(k) right[k] = right[k] + 5.0f;
    last();
}

__global__ void K6(float *x, const float *left, const float *right)
{
    EACH(k) x[k] = (left[k] + right[k]) * 0.5f;
    last();
}

float rateOf(int i)
{
    return 0.5f + 0.125f * (float)((i * 5 + 2) % 7);
}

typedef struct Data {
    float *x, *left, *right;
} Data;

/* The same without a graph: two streams, six launches for each iteration. */
static void launch_by_launch(const Data *d, cudaStream_t a, cudaStream_t b, cudaEvent_t forked, cudaEvent_t joined)
{
    for (int i = 0; i < REPLAYS; i++) {
        K1<<<BLOCKS, THREADS, 0, a>>>(d->x, rateOf(i));
        HARNESS_CALL(cudaEventRecord(forked, a));
        HARNESS_CALL(cudaStreamWaitEvent(b, forked, 0));
        K2<<<BLOCKS, THREADS, 0, a>>>(d->left, d->x);
        K4<<<BLOCKS, THREADS, 0, b>>>(d->right, d->x);
        K3<<<BLOCKS, THREADS, 0, a>>>(d->left);
        K5<<<BLOCKS, THREADS, 0, b>>>(d->right);
        HARNESS_CALL(cudaEventRecord(joined, b));
        HARNESS_CALL(cudaStreamWaitEvent(a, joined, 0));
        K6<<<BLOCKS, THREADS, 0, a>>>(d->x, d->left, d->right);
    }
    HARNESS_CALL(cudaStreamSynchronize(a));
}

static void fill(const Data *d, const float *x)
{
    HARNESS_CALL(cudaMemcpy(d->x, x, COUNT * sizeof *x, cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaMemset(d->left, 0, COUNT * sizeof *x));
    HARNESS_CALL(cudaMemset(d->right, 0, COUNT * sizeof *x));
    HARNESS_CALL(cudaDeviceSynchronize());
}

static void tune(const Data *d, cudaStream_t stream)
{
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        cudaEvent_t begin, end;
        HARNESS_CALL(cudaEventCreate(&begin));
        HARNESS_CALL(cudaEventCreate(&end));
        HARNESS_CALL(cudaEventRecord(begin, stream));
        K3<<<BLOCKS, THREADS, 0, stream>>>(d->left);
        HARNESS_CALL(cudaEventRecord(end, stream));
        more = harness_spin_cycles(harness_elapsed(begin, end), KERNEL_MS);
        cycles += more;
        if (more) HARNESS_CALL(cudaMemcpyToSymbol(spin_cycles, &cycles, sizeof cycles));
        HARNESS_CALL(cudaDeviceSynchronize());       /* it may still be on its way, in the default stream */
    }
}

int main(void)
{
    static float x[COUNT], back[COUNT];
    Data d;
    cudaStream_t a, b;                               /* the harness's own; they take no part in the default stream */
    cudaEvent_t forked, joined;
    HARNESS_CALL(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    HARNESS_CALL(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    HARNESS_CALL(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    HARNESS_CALL(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    HARNESS_CALL(cudaMalloc((void **)&d.x, sizeof x));
    HARNESS_CALL(cudaMalloc((void **)&d.left, sizeof x));
    HARNESS_CALL(cudaMalloc((void **)&d.right, sizeof x));
    harness_fill(x, COUNT, 56);
    fill(&d, x);

    launch_by_launch(&d, a, b, forked, joined);      /* the first launch of a kernel is slower than the others */
    tune(&d, a);
    nvtxRangePushA("stage");
    K3<<<BLOCKS, THREADS, 0, a>>>(d.left);
    HARNESS_CALL(cudaStreamSynchronize(a));
    nvtxRangePop();
    fill(&d, x);
    nvtxRangePushA("launches");
    launch_by_launch(&d, a, b, forked, joined);
    nvtxRangePop();

    fill(&d, x);
    nvtxRangePushA("replayed");
    replay(d.x, d.left, d.right);
    nvtxRangePop();

    nvtxRangePushA("returned");                      /* from here on the results are looked at: all work must be done */
    HARNESS_CALL(cudaMemcpyAsync(back, d.x, sizeof back, cudaMemcpyDeviceToHost, a));
    HARNESS_CALL(cudaStreamSynchronize(a));
    nvtxRangePop();
    result_dump("x", back, COUNT);
    size_t wrong = 0;
    for (int k = 0; k < COUNT; k++) {
        float is = x[k];
        for (int i = 0; i < REPLAYS; i++) {
            is = is * rateOf(i) + 1.0f;
            is = (is * 0.5f + 3.0f + (is * 0.25f + 5.0f)) * 0.5f;
        }
        if (!(fabsf(back[k] - is) <= 1e-5f * is)) wrong++;
    }
    printf("%zu of %d results are wrong\n", wrong, COUNT);

    HARNESS_CALL(cudaDeviceSynchronize());
    HARNESS_CALL(cudaFree(d.x));
    HARNESS_CALL(cudaFree(d.left));
    HARNESS_CALL(cudaFree(d.right));
    HARNESS_CALL(cudaEventDestroy(forked));
    HARNESS_CALL(cudaEventDestroy(joined));
    HARNESS_CALL(cudaStreamDestroy(a));
    HARNESS_CALL(cudaStreamDestroy(b));
    return 0;
}
