/* harness.cu - exercise 64: main, the kernels, the library. Read-only: grading uses its own copy. */
#include "ex64.h"
#include "harness.h"

#define KERNEL_MS 0.5f           /* how long a kernel lasts, where that can be chosen */

/* 0 where a kernel lasts a unit anyway; else the kernels spin so that they last as long as they should. */
__device__ long long spin_cycles;

__device__ static void last(void)
{
    if (blockIdx.x == 0 && threadIdx.x == 0 && spin_cycles > 0) {      /* one is enough: the kernel lasts as long */
        long long begin = clock64(), cycles = spin_cycles;
        while (clock64() - begin < cycles) { }
    }
}

#define EACH(k) for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < COUNT; k += gridDim.x * blockDim.x)

__global__ void scale(float *x, float factor)
{
    EACH(k) x[k] *= factor;
    last();
}

__global__ void shift(float *x, float by)
{
    EACH(k) x[k] += by;
    last();
}

__global__ void add(float *x, const float *y)
{
    EACH(k) x[k] += y[k];
    last();
}

static int debugging = 1;

void lib_debug(int on)
{
    debugging = on != 0;
}

void lib_step(float *x, cudaStream_t stream)
{
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, 0.75f);
    if (debugging && cudaStreamQuery(stream) != cudaErrorNotReady) cudaGetLastError();
}

/* ---- what must come out ---- */

static float x[COUNT], y[COUNT], back[2 * COUNT], *back_x = back, *back_y = back + COUNT;

static float expect_x(int function, float is, float other)
{
    for (int i = 0; i < REPLAYS; i++)
        switch (function) {
        case 0: is = is + is * 2.0f; break;
        case 1: is = (is + 1.0f) * 0.75f + 1.0f; break;
        case 2: is = is * 0.5f; break;
        case 3: is = is + other * 3.0f; break;
        case 4: is = (is * 0.5f + 1.0f) * 2.0f; break;
        case 5: is = (is + 1.0f) * 0.5f; break;
        default: is = (is + 1.0f) * 0.5f * 0.5f + 1.0f; break;
        }
    return is;
}

static float expect_y(int function, float is)
{
    return function == 2 ? is + (float)REPLAYS : function == 3 ? is * 3.0f : is;
}

static void tune(float *device, cudaStream_t stream)
{
    long long cycles = 0, more = 1;
    for (int round = 0; round < 4 && more && cycles >= 0; round++) {
        cudaEvent_t begin, end;
        HARNESS_CALL(cudaEventCreate(&begin));
        HARNESS_CALL(cudaEventCreate(&end));
        HARNESS_CALL(cudaEventRecord(begin, stream));
        shift<<<BLOCKS, THREADS, 0, stream>>>(device, 0.0f);
        HARNESS_CALL(cudaEventRecord(end, stream));
        float have = harness_elapsed(begin, end);
        more = have >= KERNEL_MS ? 0 : harness_spin_cycles(have, KERNEL_MS);
        cycles += more;
        if (more) HARNESS_CALL(cudaMemcpyToSymbol(spin_cycles, &cycles, sizeof cycles));
        HARNESS_CALL(cudaDeviceSynchronize());       /* it may still be on its way, in the default stream */
    }
}

static const char *const names[7] = {"scratch", "library", "forked", "awaited", "plain", "measured", "nested"};

int main(void)
{
    float *d_x, *d_y, ms = 0.0f;
    char value[64];
    cudaStream_t stream;                             /* the harness's own; it takes no part in the default stream */
    HARNESS_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    HARNESS_CALL(cudaMalloc((void **)&d_x, sizeof x));
    HARNESS_CALL(cudaMalloc((void **)&d_y, sizeof y));
    harness_fill(x, COUNT, 64);
    harness_fill(y, COUNT, 65);
    HARNESS_CALL(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaDeviceSynchronize());
    scale<<<BLOCKS, THREADS, 0, stream>>>(d_x, 1.0f);          /* the first launch of a kernel is slower than the others */
    shift<<<BLOCKS, THREADS, 0, stream>>>(d_x, 0.0f);
    add<<<BLOCKS, THREADS, 0, stream>>>(d_x, d_y);
    HARNESS_CALL(cudaDeviceSynchronize());
    tune(d_x, stream);

    for (int i = 0; i < 7; i++) {
        HARNESS_CALL(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
        HARNESS_CALL(cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice));
        HARNESS_CALL(cudaDeviceSynchronize());
        debugging = 1;
        nvtxRangePushA(names[i]);
        switch (i) {
        case 0: scratch(d_x); break;
        case 1: library(d_x); break;
        case 2: forked(d_x, d_y); break;
        case 3: awaited(d_x, d_y); break;
        case 4: plain(d_x); break;
        case 5: ms = measured(d_x); break;
        default: nested(d_x); break;
        }
        nvtxRangePop();
        cudaGetLastError();                          /* of calls that failed: they are in the trace */

        nvtxRangePushA("returned");                  /* from here on the results are looked at: all work must be done */
        HARNESS_CALL(cudaMemcpyAsync(back_x, d_x, sizeof x, cudaMemcpyDeviceToHost, stream));
        HARNESS_CALL(cudaMemcpyAsync(back_y, d_y, sizeof y, cudaMemcpyDeviceToHost, stream));
        HARNESS_CALL(cudaStreamSynchronize(stream));
        nvtxRangePop();
        HARNESS_CALL(cudaDeviceSynchronize());
        result_dump(names[i], back, 2 * COUNT);
        size_t wrong = 0;
        for (int k = 0; k < COUNT; k++) {
            float is_x = expect_x(i, x[k], y[k]), is_y = expect_y(i, y[k]);
            if (!(fabsf(back_x[k] - is_x) <= 1e-5f * is_x) || !(fabsf(back_y[k] - is_y) <= 1e-5f * is_y)) wrong++;
        }
        printf("%s: %zu of %d results are wrong\n", names[i], wrong, COUNT);
    }
    snprintf(value, sizeof value, "%.3f", ms);
    value_print("measured", value);

    HARNESS_CALL(cudaFree(d_x));
    HARNESS_CALL(cudaFree(d_y));
    HARNESS_CALL(cudaStreamDestroy(stream));
    return 0;
}
