/* harness.cu - exercise 57: main, the chain without early launches. Read-only: grading uses its own copy. */
#include "ex57.h"
#include "harness.h"

harness_uses(step);

enum { ROWS = KERNELS + 1 };

__global__ void one(long long unit)
{
    lasts(1, unit);
}

__global__ void ordinary(const float *weights, const float *from, float *to, float *squares, long long unit)
{
    keepSquare(combine(loadWeight(weights, unit), from, to, unit), squares, unit);
}

/* The chain's memory on the device, and what it holds at first. */
typedef struct Chain {
    float *weights, *data, *squares;
    float first[FLOATS];
} Chain;

static void chain_fill(const Chain *chain)
{
    HARNESS_CALL(cudaMemset(chain->data, 0, ROWS * FLOATS * sizeof(float)));
    HARNESS_CALL(cudaMemset(chain->squares, 0, KERNELS * FLOATS * sizeof(float)));
    HARNESS_CALL(cudaMemcpy(chain->data, chain->first, sizeof chain->first, cudaMemcpyHostToDevice));
    HARNESS_CALL(cudaDeviceSynchronize());
}

static void one_after_the_other(const Chain *chain, long long unit, cudaStream_t stream)
{
    for (int i = 0; i < KERNELS; i++)
        ordinary<<<BLOCKS, THREADS, 0, stream>>>(chain->weights + i * FLOATS, chain->data + i * FLOATS,
                                                 chain->data + (i + 1) * FLOATS, chain->squares + i * FLOATS, unit);
    HARNESS_CALL(cudaStreamSynchronize(stream));
}

static long long unit_cycles(void)
{
    int khz = 0;
    HARNESS_CALL(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    return (long long)khz * UNIT_US / 1000;
}

static size_t count_wrong(const float *data, const float *squares, const float *weights)
{
    size_t wrong = 0;
    for (int i = 0; i < KERNELS; i++) {
        const float *from = data + i * FLOATS, *to = from + FLOATS;
        for (int k = 0; k < FLOATS; k++) {
            float is = 0.5f * (from[k] + from[FLOATS - 1 - k]) * weights[i * FLOATS + k] + 1.0f;
            if (!(fabsf(to[k] - is) <= 1e-5f * is)) wrong++;
            if (!(fabsf(squares[i * FLOATS + k] - is * is) <= 1e-4f * is * is)) wrong++;
        }
    }
    return wrong;
}

int main(void)
{
    static Chain chain;
    static float weights[KERNELS * FLOATS];
    float *data, *squares;
    char value[64];
    int least = PROLOGUE < EPILOGUE ? PROLOGUE : EPILOGUE;
    long long unit = unit_cycles();
    cudaStream_t stream;                             /* the harness's own; it takes no part in the default stream */
    HARNESS_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    HARNESS_CALL(cudaMalloc((void **)&chain.weights, sizeof weights));
    HARNESS_CALL(cudaMalloc((void **)&chain.data, ROWS * FLOATS * sizeof(float)));
    HARNESS_CALL(cudaMalloc((void **)&chain.squares, KERNELS * FLOATS * sizeof(float)));
    HARNESS_CALL(cudaMallocHost((void **)&data, ROWS * FLOATS * sizeof(float)));
    HARNESS_CALL(cudaMallocHost((void **)&squares, KERNELS * FLOATS * sizeof(float)));
    harness_fill(chain.first, FLOATS, 1);
    harness_fill(weights, KERNELS * FLOATS, 2);
    HARNESS_CALL(cudaMemcpy(chain.weights, weights, sizeof weights, cudaMemcpyHostToDevice));

    chain_fill(&chain);                              /* the first launch of a kernel is slower, and never an early one */
    one_after_the_other(&chain, unit, stream);
    runChain(chain.weights, chain.data, chain.squares, unit);
    HARNESS_CALL(cudaDeviceSynchronize());
    one<<<1, 1, 0, stream>>>(unit);
    HARNESS_CALL(cudaStreamSynchronize(stream));

    nvtxRangePushA("stage");
    one<<<1, 1, 0, stream>>>(unit);
    HARNESS_CALL(cudaStreamSynchronize(stream));
    nvtxRangePop();
    nvtxRangePushA("ordinary");
    one_after_the_other(&chain, unit, stream);
    nvtxRangePop();
    chain_fill(&chain);

    snprintf(value, sizeof value, "%d", KERNELS * (PROLOGUE + MAIN + EPILOGUE) - (KERNELS - 1) * least);
    value_print("shortest", value);
    nvtxRangePushA("early");
    runChain(chain.weights, chain.data, chain.squares, unit);
    nvtxRangePop();

    nvtxRangePushA("returned");                      /* from here on the results are looked at: all work must be done */
    HARNESS_CALL(cudaMemcpyAsync(data, chain.data, ROWS * FLOATS * sizeof(float), cudaMemcpyDeviceToHost, stream));
    HARNESS_CALL(cudaMemcpyAsync(squares, chain.squares, KERNELS * FLOATS * sizeof(float), cudaMemcpyDeviceToHost,
                                 stream));
    HARNESS_CALL(cudaStreamSynchronize(stream));
    nvtxRangePop();
    result_dump("data", data, ROWS * FLOATS);
    result_dump("squares", squares, KERNELS * FLOATS);
    printf("%zu of %d results are wrong\n", count_wrong(data, squares, weights), 2 * KERNELS * FLOATS);

    HARNESS_CALL(cudaDeviceSynchronize());
    HARNESS_CALL(cudaFree(chain.weights));
    HARNESS_CALL(cudaFree(chain.data));
    HARNESS_CALL(cudaFree(chain.squares));
    HARNESS_CALL(cudaFreeHost(data));
    HARNESS_CALL(cudaFreeHost(squares));
    HARNESS_CALL(cudaStreamDestroy(stream));
    return 0;
}
