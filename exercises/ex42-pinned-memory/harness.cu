/* harness.cu - exercise 42: main and the host's side of the work. Read-only: grading uses its own copy. */
#include "ex42.h"
#include "harness.h"

static float *transfer;          /* what fillTransfer gives */
static float *chunks;            /* what prepareChunk gives, one chunk after the other */
#define HOST_FLOATS (CHUNK_FLOATS / HOST_STRIDE)     /* of each chunk */

void fillTransfer(float *buffer)
{
    harness_needs(buffer, TRANSFER_BYTES);
    memcpy(buffer, transfer, TRANSFER_BYTES);
}

void prepareChunk(float *buffer, int chunk)
{
    nvtxRangePushA("prepare");
    if (chunk >= 0 && chunk < CHUNKS) {
        const float *from = chunks + (size_t)chunk * HOST_FLOATS;
        harness_needs(buffer, CHUNK_BYTES);
        if (HOST_STRIDE == 1) memcpy(buffer, from, CHUNK_BYTES);
        else for (size_t i = 0; i < HOST_FLOATS; i++) buffer[i * HOST_STRIDE] = from[i];
    }
    host_work(PREPARE_US);
    nvtxRangePop();
}

/* What is on the device now, every stride-th float of it, dumped under a name, and how much of that is wrong. */
static size_t look(const char *name, const float *device, const float *expected, size_t floats, size_t stride)
{
    size_t wrong = 0;
    cudaStream_t stream;                             /* takes no part in the default stream: sees what is there now */
    float *host = (float *)malloc(floats * sizeof *host);
    if (!host) { fputs("out of memory\n", stderr); exit(1); }
    HARNESS_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    HARNESS_CALL(cudaMemcpyAsync(host, device, floats * sizeof *host, cudaMemcpyDeviceToHost, stream));
    HARNESS_CALL(cudaStreamSynchronize(stream));
    HARNESS_CALL(cudaStreamDestroy(stream));
    for (size_t i = 0; stride > 1 && i < floats / stride; i++) host[i] = host[i * stride];
    result_dump(name, host, floats / stride);
    for (size_t i = 0; i < floats / stride; i++) if (host[i] != expected[i]) wrong++;
    free(host);
    return wrong;
}

static void send(const char *name, double (*student)(float *), float *device)
{
    char value[64], gbs_name[64], returned[64];
    HARNESS_CALL(cudaMemset(device, 0, TRANSFER_BYTES));
    HARNESS_CALL(cudaDeviceSynchronize());
    nvtxRangePushA(name);
    double gbs = student(device);
    nvtxRangePop();

    snprintf(value, sizeof value, "%.6g", gbs);
    snprintf(gbs_name, sizeof gbs_name, "%s_gbs", name);
    snprintf(returned, sizeof returned, "%s_returned", name);
    value_print(gbs_name, value);
    nvtxRangePushA(returned);
    size_t wrong = look(name, device, transfer, TRANSFER_FLOATS, 1);
    nvtxRangePop();
    printf("%s: %.2f GB/s by your measurement, %zu of %d floats are wrong\n", name, gbs, wrong, TRANSFER_FLOATS);
    HARNESS_CALL(cudaDeviceSynchronize());
}

int main(void)
{
    float *d_data, *d_chunks;
    transfer = (float *)malloc(TRANSFER_BYTES);
    chunks = (float *)malloc(CHUNKS * HOST_FLOATS * sizeof *chunks);
    if (!transfer || !chunks) { fputs("out of memory\n", stderr); return 1; }
    harness_fill(transfer, TRANSFER_FLOATS, 1);
    harness_fill(chunks, (size_t)CHUNKS * HOST_FLOATS, 2);
    HARNESS_CALL(cudaMalloc((void **)&d_data, TRANSFER_BYTES));
    HARNESS_CALL(cudaMalloc((void **)&d_chunks, CHUNKS * CHUNK_BYTES));
    HARNESS_CALL(cudaMemset(d_chunks, 0, CHUNKS * CHUNK_BYTES));
    HARNESS_CALL(cudaDeviceSynchronize());

    nvtxRangePushA("chunks");
    sendChunks(d_chunks);
    nvtxRangePop();
    nvtxRangePushA("chunks_returned");               /* from here on the data are looked at: all must have arrived */
    size_t wrong = look("chunks", d_chunks, chunks, (size_t)CHUNKS * CHUNK_FLOATS, HOST_STRIDE);
    nvtxRangePop();
    printf("chunks: %zu of %d floats are wrong\n", wrong, CHUNKS * HOST_FLOATS);
    HARNESS_CALL(cudaDeviceSynchronize());

    send("pageable", sendPageable, d_data);
    send("pinned", sendPinned, d_data);

    HARNESS_CALL(cudaFree(d_data));
    HARNESS_CALL(cudaFree(d_chunks));
    free(transfer);
    free(chunks);
    return 0;
}
