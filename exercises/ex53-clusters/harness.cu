/* harness.cu - exercise 53: main, the kernel without clusters, the version with one stream. Read-only: grading uses its own
 * copy. */
#include "ex53.h"
#include "harness.h"

harness_uses(sharedTiles);

__global__ void ownTiles(const float *in, float *out, long long cycles)
{
    extern __shared__ float tile[];
    size_t at = (size_t)(blockIdx.x / CLUSTER) * TILE;
    loadTile(tile, in + at);
    __syncthreads();
    makePart(out + at, tile, blockIdx.x % CLUSTER, CLUSTER, cycles);
}

static void run_own(const float *d_in, float *d_out, long long cycles)
{
    ownTiles<<<BLOCKS, THREADS, TILE_BYTES>>>(d_in, d_out, cycles);
    HARNESS_CALL(cudaGetLastError());
}

/* Three stages of about equal length make the clearest picture: gives the kernel the length of one copy in. There may be more
 * blocks than a GPU runs at once, and each of them spins: the second guess is a part of the first. */
static long long tune(const float *h_in, float *d_in, float *d_out)
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
        run_own(d_in, d_out, cycles);
        HARNESS_CALL(cudaEventRecord(end, 0));
        HARNESS_CALL(cudaEventSynchronize(end));
        HARNESS_CALL(cudaEventElapsedTime(&copy_ms, begin, middle));
        HARNESS_CALL(cudaEventDestroy(begin));
        float kernel_ms = harness_elapsed(middle, end);
        more = harness_spin_cycles(kernel_ms, copy_ms);
        cycles = more && cycles ? (long long)((double)cycles * copy_ms / kernel_ms) : cycles + more;
    }
    return cycles > 0 ? cycles : 0;
}

/* One step after the other, the host waiting for each. */
static void one_stream(const float *h_in, float *h_out, float *d_in, float *d_out, long long cycles)
{
    for (int i = 0; i < BATCHES; i++) {
        if (i == 0) nvtxRangePushA("stage");
        HARNESS_CALL(cudaMemcpy(d_in, h_in + i * BATCH_FLOATS, BATCH_BYTES, cudaMemcpyHostToDevice));
        if (i == 0) nvtxRangePop();
        run_own(d_in, d_out, cycles);
        HARNESS_CALL(cudaMemcpy(h_out + i * BATCH_FLOATS, d_out, BATCH_BYTES, cudaMemcpyDeviceToHost));
    }
}

static size_t count_wrong(const float *in, const float *out)
{
    const int third = TILE / 3 / STRIDE * STRIDE;
    size_t wrong = 0;
    for (size_t t = 0; t < (size_t)BATCHES * TILES; t++)
        for (int i = 0; i < TILE; i += STRIDE) {
            const float *tile = in + t * TILE;
            float is = 0.5f * tile[i] + 0.25f * tile[(i + third) % TILE] + 0.25f * tile[TILE - STRIDE - i];
            if (!(fabsf(out[t * TILE + i] - is) <= 1e-5f * is)) wrong++;
        }
    return wrong;
}

int main(void)
{
    const size_t floats = (size_t)BATCHES * BATCH_FLOATS, bytes = floats * sizeof(float);
    float *h_in, *h_out, *d_in, *d_out, *own_in, *own_out;
    HARNESS_CALL(cudaMallocHost((void **)&h_in, bytes));
    HARNESS_CALL(cudaMallocHost((void **)&h_out, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_in, bytes));
    HARNESS_CALL(cudaMalloc((void **)&d_out, bytes));
    HARNESS_CALL(cudaMalloc((void **)&own_in, BATCH_BYTES));
    HARNESS_CALL(cudaMalloc((void **)&own_out, BATCH_BYTES));
    HARNESS_CALL(cudaFuncSetAttribute((const void *)ownTiles, cudaFuncAttributeMaxDynamicSharedMemorySize, TILE_BYTES));
    memset(h_in, 0, bytes);
    harness_fill_every(h_in, floats, STRIDE, 53);
    HARNESS_CALL(cudaMemset(d_in, 0, bytes));
    HARNESS_CALL(cudaMemset(d_out, 0, bytes));
    HARNESS_CALL(cudaMemset(own_in, 0, BATCH_BYTES));
    HARNESS_CALL(cudaMemset(own_out, 0, BATCH_BYTES));
    run_own(own_in, own_out, 0);                     /* the first launch of a kernel is slower than the others */
    HARNESS_CALL(cudaDeviceSynchronize());
    long long cycles = tune(h_in, own_in, own_out);

    nvtxRangePushA("one_stream");
    one_stream(h_in, h_out, own_in, own_out, cycles);
    nvtxRangePop();

    memset(h_out, 0, bytes);
    HARNESS_CALL(cudaDeviceSynchronize());

    nvtxRangePushA("clusters");
    clusterPipeline(h_in, h_out, d_in, d_out, cycles);
    nvtxRangePop();

    nvtxRangePushA("returned");                      /* from here on every result is looked at: all work must be done */
    result_dump_every("h_out", h_out, floats, STRIDE);
    size_t wrong = count_wrong(h_in, h_out);
    nvtxRangePop();
    printf("%d batches of %d tiles of %d floats: %zu of %zu results are wrong\n", BATCHES, TILES, TILE, wrong,
           floats / STRIDE);

    HARNESS_CALL(cudaDeviceSynchronize());
    HARNESS_CALL(cudaFree(d_in));
    HARNESS_CALL(cudaFree(d_out));
    HARNESS_CALL(cudaFree(own_in));
    HARNESS_CALL(cudaFree(own_out));
    HARNESS_CALL(cudaFreeHost(h_in));
    HARNESS_CALL(cudaFreeHost(h_out));
    return 0;
}
