// Calls that few programs make: batches of copies and prefetches, what managed memory has been told, pools by location,
// the driver's functions by name. By the header's words.
// out: ok rare_calls
#include "conformance.h"
#include <string.h>

enum { N = 1 << 16, PARTS = 3 };

static cudaStream_t stream;

static void batches(void)
{
    char *from[PARTS], *to[PARTS], *device[PARTS];
    const void *sources[PARTS];
    void *targets[PARTS];
    size_t sizes[PARTS] = {N, N / 2, 100}, begins[] = {0, 2}, wrong[] = {1};
    cudaMemcpyAttributes attributes[2] = {};
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    for (int i = 0; i < PARTS; i++) {
        OK(cudaMallocHost(&from[i], N));
        OK(cudaMallocHost(&to[i], N));
        OK(cudaMalloc(&device[i], N));
        memset(from[i], 'a' + i, N);
        memset(to[i], 0, N);
    }
    for (int i = 0; i < PARTS; i++) sources[i] = from[i], targets[i] = device[i];
    OK(cudaMemcpyBatchAsync(targets, sources, sizes, PARTS, attributes, begins, 2, stream));
    memset(from[2], 0, N); /* it has been read already */
    for (int i = 0; i < PARTS; i++) sources[i] = device[i], targets[i] = to[i];
    OK(cudaMemcpyBatchAsync(targets, sources, sizes, PARTS, attributes, begins, 1, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(to[0][N - 1] == 'a' && to[1][N / 2 - 1] == 'b' && to[1][N / 2] == 0 && to[2][99] == 'c' && to[2][100] == 0);
    IS(cudaErrorInvalidValue, cudaMemcpyBatchAsync(targets, sources, sizes, PARTS, attributes, wrong, 1, stream));
    IS(cudaErrorInvalidValue, cudaMemcpyBatchAsync(targets, sources, sizes, 1, attributes, begins, 2, stream));
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    IS(cudaErrorInvalidValue, cudaMemcpyBatchAsync(targets, sources, sizes, PARTS, attributes, begins, 1, stream));

    cudaMemcpy3DBatchOp op = {};
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&array, &desc, 8, 8));
    for (int i = 0; i < 64; i++) ((float *)from[0])[i] = (float)i;
    op.src.type = cudaMemcpyOperandTypePointer;
    op.src.op.ptr.ptr = from[0];
    op.src.op.ptr.rowLength = 8;
    op.dst.type = cudaMemcpyOperandTypeArray;
    op.dst.op.array.array = array;
    op.dst.op.array.offset.x = 1;
    op.dst.op.array.offset.y = 2;
    op.extent = make_cudaExtent(4, 3, 1);
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    OK(cudaMemcpy3DBatchAsync(1, &op, 0, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy2DFromArray(to[0], 16, array, 4, 2, 16, 3, cudaMemcpyDeviceToHost));
    CHECK(((float *)to[0])[0] == 0 && ((float *)to[0])[4] == 8 && ((float *)to[0])[11] == 19);
    OK(cudaFreeArray(array));
    for (int i = 0; i < PARTS; i++) {
        OK(cudaFreeHost(from[i]));
        OK(cudaFreeHost(to[i]));
        OK(cudaFree(device[i]));
    }
}

static int asked(cudaMemRangeAttribute attribute, const void *at, size_t bytes)
{
    int value = -99;
    OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, at, bytes));
    return value;
}

static void ranges(void)
{
    char *m, *d;
    int users[3], both[2];
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
    OK(cudaMallocManaged(&m, 4 * N));
    OK(cudaMalloc(&d, N));
    CHECK(asked(cudaMemRangeAttributeReadMostly, m, 4 * N) == 0);
    CHECK(asked(cudaMemRangeAttributePreferredLocation, m, 4 * N) == cudaInvalidDeviceId);
    CHECK(asked(cudaMemRangeAttributeLastPrefetchLocation, m, 4 * N) == cudaInvalidDeviceId);
    OK(cudaMemAdvise(m, 2 * N, cudaMemAdviseSetReadMostly, here));
    OK(cudaMemAdvise(m, 4 * N, cudaMemAdviseSetPreferredLocation, here));
    OK(cudaMemAdvise(m + 2 * N, 2 * N, cudaMemAdviseSetPreferredLocation, host));
    OK(cudaMemAdvise(m, 4 * N, cudaMemAdviseSetAccessedBy, here));
    CHECK(asked(cudaMemRangeAttributeReadMostly, m, 2 * N) == 1);
    CHECK(asked(cudaMemRangeAttributeReadMostly, m, 4 * N) == 0);
    CHECK(asked(cudaMemRangeAttributePreferredLocation, m, 2 * N) == 0);
    CHECK(asked(cudaMemRangeAttributePreferredLocation, m + 2 * N, N) == cudaCpuDeviceId);
    CHECK(asked(cudaMemRangeAttributePreferredLocation, m, 4 * N) == cudaInvalidDeviceId);
    CHECK(asked(cudaMemRangeAttributePreferredLocationType, m, N) == cudaMemLocationTypeDevice);
    OK(cudaMemRangeGetAttribute(users, sizeof users, cudaMemRangeAttributeAccessedBy, m, 4 * N));
    CHECK(users[0] == 0 && users[1] == cudaInvalidDeviceId && users[2] == cudaInvalidDeviceId);
    OK(cudaMemPrefetchAsync(m, N, here, 0, stream));
    CHECK(asked(cudaMemRangeAttributeLastPrefetchLocation, m, N) == 0);
    CHECK(asked(cudaMemRangeAttributeLastPrefetchLocation, m, 2 * N) == cudaInvalidDeviceId);

    void *data[] = {&both[0], &both[1]};
    size_t sizes[] = {4, 4};
    cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
    OK(cudaMemRangeGetAttributes(data, sizes, attributes, 2, m, N));
    CHECK(both[0] == 1 && both[1] == 0);
    IS(cudaErrorInvalidValue, cudaMemRangeGetAttribute(both, 8, cudaMemRangeAttributeReadMostly, m, N));
    IS(cudaErrorInvalidValue, cudaMemRangeGetAttribute(both, 4, cudaMemRangeAttributeReadMostly, d, N));

    void *at[] = {m, m + N};
    size_t lengths[] = {N, N}, begins[] = {0};
    OK(cudaMemPrefetchBatchAsync(at, lengths, 2, &host, begins, 1, 0, stream));
    CHECK(asked(cudaMemRangeAttributeLastPrefetchLocation, m, 2 * N) == cudaCpuDeviceId);
    OK(cudaStreamSynchronize(stream));
    OK(cudaFree(m));
    OK(cudaFree(d));
}

static void others(void)
{
    cudaMemPool_t by_device, by_location;
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    OK(cudaDeviceGetDefaultMemPool(&by_device, 0));
    OK(cudaMemGetDefaultMemPool(&by_location, &here, cudaMemAllocationTypePinned));
    CHECK(by_device == by_location);
    OK(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, by_device));
    OK(cudaMemGetMemPool(&by_location, &here, cudaMemAllocationTypePinned));
    CHECK(by_device == by_location);

    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
    int devices = 0;
    OK(cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &function, 12000, cudaEnableDefault, &found));
    CHECK(found == cudaDriverEntryPointSuccess && function);
    CHECK(((int (*)(int *))function)(&devices) == 0 && devices > 0);
    OK(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &found));
    CHECK(found == cudaDriverEntryPointSymbolNotFound && !function);
}

int main()
{
    OK(cudaStreamCreate(&stream));
    batches();
    ranges();
    others();
    OK(cudaStreamDestroy(stream));
    return finish("rare_calls");
}
