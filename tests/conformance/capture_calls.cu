// What each call returns while a stream is captured, whether it spoils the capture, and how many nodes it makes. Every
// line was printed by an H200 (driver 580, CUDA 13.0).
// run: THREELANE_MODEL=h200
// out: ok capture_calls
#include "conformance.h"
#include <pthread.h>

__global__ void add(int *p, int n) { *p += n; }
__device__ int symbol[16];
static void CUDART_CB fn(void *) {}
static void CUDART_CB cb(cudaStream_t, cudaError_t, void *) {}

static cudaStream_t s, t, n; // captured; blocking; not blocking
static cudaEvent_t e, f, done, late;
static int *d, *d2, *pin, page[1024], *managed;
static cudaGraph_t g0;
static cudaGraphExec_t x0;

// What the calls write to.
static void *p;
static cudaStream_t made;
static cudaEvent_t event;
static size_t a, b;
static cudaFuncAttributes about;
static cudaDeviceProp prop;
static int number;
static cudaPointerAttributes pa;
static cudaMemPool_t pool;
static float ms;
static cudaStreamAttrValue value;
static cudaGraph_t g;
static cudaGraphExec_t x;
static unsigned flags;
static unsigned long long id;

enum { GLOBAL, OF_NON_BLOCKING, RELAXED, COLUMNS };
typedef struct Row {
    const char *name;
    int code[COLUMNS]; // less than 0: of an error that does not spoil the capture
    int nodes;
    cudaError_t (*run)();
} Row;
#define ROW(IN_GLOBAL, IN_NON_BLOCKING, IN_RELAXED, NODES, CALL) \
    {#CALL, {IN_GLOBAL, IN_NON_BLOCKING, IN_RELAXED}, NODES, [] { return CALL; }}

static const Row rows[] = {
    // clang-format off
        ROW(900, 900, 0, 0, cudaMalloc(&p, 16)),
        ROW(900, 900, 0, 0, cudaFree(NULL)),
        ROW(900, 900, 0, 0, cudaMallocHost(&p, 16)),
        ROW(900, 900, 0, 0, cudaFreeHost(NULL)),
        ROW(900, 900, 0, 0, cudaHostAlloc(&p, 16, 0)),
        ROW(900, 900, 0, 0, cudaHostRegister(page, 4096, 0)),
        ROW(900, 900, 0, 0, cudaHostUnregister(page)),
        ROW(900, 900, 0, 0, cudaMallocPitch(&p, &a, 16, 16)),
        ROW(900, 900, 0, 0, cudaMallocManaged(&p, 16)),
        ROW(0, 0, 0, 0, cudaMemGetInfo(&a, &b)),
        ROW(0, 0, 0, 0, cudaStreamCreate(&made)),
        ROW(0, 0, 0, 0, cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking)),
        ROW(0, 0, 0, 0, cudaStreamCreateWithPriority(&made, 1, 0)),
        ROW(0, 0, 0, 0, cudaStreamDestroy(made)),
        ROW(0, 0, 0, 0, cudaEventCreate(&event)),
        ROW(0, 0, 0, 0, cudaEventCreateWithFlags(&event, cudaEventDisableTiming)),
        ROW(0, 0, 0, 0, cudaEventDestroy(event)),
        ROW(0, 0, 0, 0, cudaEventRecord(f, n)),
        ROW(900, 900, 0, 0, cudaEventQuery(done)),
        ROW(900, 900, 0, 0, cudaEventSynchronize(done)),
        ROW(0, 0, 0, 0, cudaEventElapsedTime(&ms, done, late)),
        ROW(900, 900, 0, 0, cudaStreamQuery(n)),
        ROW(900, 900, 0, 0, cudaStreamSynchronize(n)),
        ROW(900, 900, 0, 0, cudaStreamQuery(t)),
        ROW(900, 900, 0, 0, cudaStreamSynchronize(t)),
        ROW(0, 0, 0, 0, cudaStreamWaitEvent(n, done, 0)),
        ROW(906, 900, 906, 0, cudaStreamQuery(0)),
        ROW(906, 900, 906, 0, cudaStreamSynchronize(0)),
        ROW(900, 900, 900, 0, cudaStreamQuery(s)),
        ROW(900, 900, 900, 0, cudaStreamSynchronize(s)),
        ROW(906, 0, 906, 0, cudaEventRecord(f, 0)),
        ROW(906, 0, 906, 0, cudaStreamWaitEvent(0, done, 0)),
        ROW(900, 900, 0, 0, cudaStreamQuery(cudaStreamPerThread)),
        ROW(900, 900, 0, 0, cudaStreamSynchronize(cudaStreamPerThread)),
        ROW(906, 0, 906, 0, cudaMemcpy(d, pin, 4, cudaMemcpyHostToDevice)),
        ROW(906, 0, 906, 0, cudaMemcpy(pin, d, 4, cudaMemcpyDeviceToHost)),
        ROW(906, 0, 906, 0, cudaMemcpy(d2, d, 4, cudaMemcpyDeviceToDevice)),
        ROW(906, 0, 906, 0, cudaMemcpy(page, page + 8, 4, cudaMemcpyHostToHost)),
        ROW(906, 0, 906, 0, cudaMemset(d, 0, 4)),
        ROW(906, 0, 906, 0, cudaMemcpyToSymbol(symbol, page, 4)),
        ROW(906, 0, 906, 0, cudaMemcpyFromSymbol(page, symbol, 4)),
        ROW(0, 0, 0, 0, cudaMemcpyAsync(d, pin, 4, cudaMemcpyHostToDevice, n)),
        ROW(0, 0, 0, 0, cudaMemsetAsync(d, 0, 4, n)),
        ROW(906, 0, 906, 0, cudaMemcpyAsync(d, pin, 4, cudaMemcpyHostToDevice, 0)),
        ROW(906, 0, 906, 0, cudaMemsetAsync(d, 0, 4, 0)),
        ROW(0, 0, 0, 1, cudaMemcpyAsync(d, pin, 4, cudaMemcpyHostToDevice, s)),
        ROW(0, 0, 0, 1, cudaMemcpyAsync(d, page, 4, cudaMemcpyHostToDevice, s)),
        ROW(0, 0, 0, 1, cudaMemcpyAsync(page, d, 4, cudaMemcpyDeviceToHost, s)),
        ROW(0, 0, 0, 1, cudaMemcpyAsync(page, page + 8, 4, cudaMemcpyHostToHost, s)),
        ROW(0, 0, 0, 0, cudaMemcpyAsync(d, pin, 0, cudaMemcpyHostToDevice, s)),
        ROW(-21, -21, -21, 0, cudaMemcpyAsync(d, pin, 4, (cudaMemcpyKind)9, s)),
        ROW(-1, -1, -1, 0, cudaMemcpyAsync(NULL, pin, 4, cudaMemcpyHostToDevice, s)),
        ROW(0, 0, 0, 1, cudaMemsetAsync(d, 0, 4, s)),
        ROW(0, 0, 0, 0, cudaMemsetAsync(d, 0, 0, s)),
        ROW(0, 0, 0, 1, cudaMemsetAsync(pin, 0, 4, s)),
        ROW(0, 0, 0, 1, cudaMemcpy2DAsync(d, 64, pin, 64, 16, 2, cudaMemcpyHostToDevice, s)),
        ROW(0, 0, 0, 1, cudaMemset2DAsync(d, 64, 0, 16, 2, s)),
        ROW(0, 0, 0, 1, cudaMemcpyToSymbolAsync(symbol, pin, 4, 0, cudaMemcpyHostToDevice, s)),
        ROW(900, 900, 900, 0, cudaMemPrefetchAsync(managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, s)),
        ROW(900, 900, 900, 0, cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachSingle)),
        ROW(0, 0, 0, 1, cudaLaunchHostFunc(s, fn, NULL)),
        ROW(-1, -1, -1, 0, cudaLaunchHostFunc(s, NULL, NULL)),
        ROW(900, 900, 900, 0, cudaStreamAddCallback(s, cb, NULL, 0)),
        ROW(0, 0, 0, 1, cudaMallocAsync(&p, 64, s)),
        ROW(900, 900, 0, 0, cudaMallocAsync(&p, 64, n)),
        ROW(-1, -1, -1, 0, cudaFreeAsync(d2, s)),
        ROW(0, 0, 0, 0, cudaMallocAsync(&p, 0, s)),
        ROW(0, 0, 0, 0, cudaFreeAsync(NULL, s)),
        ROW(900, 900, 900, 0, cudaDeviceSynchronize()),
        ROW(0, 0, 0, 0, cudaGetDeviceProperties(&prop, 0)),
        ROW(0, 0, 0, 0, cudaDeviceGetAttribute(&number, cudaDevAttrMaxThreadsPerBlock, 0)),
        ROW(0, 0, 0, 0, cudaSetDevice(0)),
        ROW(0, 0, 0, 0, cudaFuncGetAttributes(&about, add)),
        ROW(0, 0, 0, 0, cudaFuncSetAttribute(add, cudaFuncAttributePreferredSharedMemoryCarveout, 50)),
        ROW(0, 0, 0, 0, cudaFuncSetCacheConfig(add, cudaFuncCachePreferL1)),
        ROW(0, 0, 0, 0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, add, 64, 0)),
        ROW(0, 0, 0, 0, cudaPointerGetAttributes(&pa, d)),
        ROW(0, 0, 0, 0, cudaGetSymbolAddress(&p, symbol)),
        ROW(0, 0, 0, 0, cudaGetSymbolSize(&a, symbol)),
        ROW(900, 900, 0, 0, cudaDeviceSetLimit(cudaLimitStackSize, 4096)),
        ROW(0, 0, 0, 0, cudaDeviceGetLimit(&a, cudaLimitStackSize)),
        ROW(900, 900, 0, 0, cudaDeviceSetCacheConfig(cudaFuncCachePreferL1)),
        ROW(0, 0, 0, 0, cudaCtxResetPersistingL2Cache()),
        ROW(0, 0, 0, 0, cudaDeviceGetDefaultMemPool(&pool, 0)),
        ROW(900, 900, 0, 0, cudaMemPoolTrimTo(pool, 0)),
        ROW(0, 0, 0, 0, cudaDeviceGraphMemTrim(0)),
        ROW(0, 0, 0, 0, cudaStreamGetPriority(s, &number)),
        ROW(900, 900, 900, 0, cudaStreamGetFlags(s, &flags)),
        ROW(900, 900, 900, 0, cudaStreamGetId(s, &id)),
        ROW(0, 0, 0, 0, cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value)),
        ROW(0, 0, 0, 0, cudaStreamCopyAttributes(s, n)),
        ROW(0, 0, 0, 0, cudaGraphCreate(&g, 0)),
        ROW(900, 900, 0, 0, cudaGraphInstantiate(&x, g0, 0)),
        ROW(0, 0, 0, 0, cudaGraphLaunch(x0, n)),
        ROW(0, 0, 0, 0, cudaGraphLaunch(x0, t)),
        ROW(906, 0, 906, 0, cudaGraphLaunch(x0, 0)),
        ROW(900, 900, 900, 0, cudaGraphLaunch(x0, s)),
        ROW(0, 0, 0, 0, cudaGraphUpload(x0, n)),
        ROW(900, 900, 900, 0, cudaGraphUpload(x0, s)),
        ROW(0, 0, 0, 0, cudaGraphDestroy(g)),
        ROW(900, 900, 0, 0, cudaGraphExecDestroy(x)),
        {"add<<<s>>>", {0, 0, 0}, 1, [] { add<<<1, 1, 0, s>>>(d, 1); return cudaGetLastError(); }},
        {"add<<<0>>>", {906, 0, 906}, 0, [] { add<<<1, 1>>>(d, 1); return cudaGetLastError(); }},
        {"add<<<t>>>", {0, 0, 0}, 0, [] { add<<<1, 1, 0, t>>>(d, 1); return cudaGetLastError(); }},
        {"add<<<n>>>", {0, 0, 0}, 0, [] { add<<<1, 1, 0, n>>>(d, 1); return cudaGetLastError(); }},
        {"add<<<0 threads, s>>>", {1, 1, 1}, 0, [] { add<<<1, 0, 0, s>>>(d, 1); return cudaGetLastError(); }},
        {"add<<<2000 threads, s>>>", {1, 1, 1}, 0, [] { add<<<1, 2000, 0, s>>>(d, 1); return cudaGetLastError(); }},
        {"cooperative in s", {0, 0, 0}, 1, [] {
             int k = 1;
             void *args[] = {&d, &k};
             return cudaLaunchCooperativeKernel((const void *)add, dim3(1), dim3(1), args, 0, s);
         }},
        {"event in s, query", {907, 907, 907}, 0, [] { cudaEventRecord(e, s); return cudaEventQuery(e); }},
        {"event in s, synchronize", {907, 907, 907}, 0, [] {
             cudaEventRecord(e, s);
             return cudaEventSynchronize(e);
         }},
        {"event in s, elapsed", {-907, -907, -907}, 0, [] {
             cudaEventRecord(e, s);
             return cudaEventElapsedTime(&ms, done, e);
         }},
        {"event in s, wait in n, query n", {900, 900, 900}, 0, [] {
             cudaEventRecord(e, s);
             cudaStreamWaitEvent(n, e, 0);
             return cudaStreamQuery(n);
         }},
        {"event in s, record it again in t", {0, 0, 0}, 0, [] {
             cudaEventRecord(e, s);
             return cudaEventRecord(e, t);
         }},
        {"event in s, wait in legacy", {906, 906, 906}, 0, [] {
             cudaEventRecord(e, s);
             return cudaStreamWaitEvent(0, e, 0);
         }},
        {"event in s, destroyed", {0, 0, 0}, 0, [] {
             static cudaEvent_t ev;
             cudaEventCreate(&ev);
             cudaEventRecord(ev, s);
             return cudaEventDestroy(ev);
         }},
        ROW(905, 905, 905, 0, cudaStreamWaitEvent(s, done, 0)),
        ROW(0, 0, 0, 1, cudaStreamWaitEvent(s, done, cudaEventWaitExternal)),
        ROW(400, 400, 400, 0, cudaStreamWaitEvent(s, NULL, 0)),
        {"never recorded, wait in s", {0, 0, 0}, 0, [] {
             static cudaEvent_t ev;
             if (!ev) cudaEventCreate(&ev);
             return cudaStreamWaitEvent(s, ev, 0);
         }},
        ROW(0, 0, 0, 1, cudaEventRecordWithFlags(e, s, cudaEventRecordExternal)),
        ROW(-401, -401, -401, 0, cudaEventRecordWithFlags(e, n, cudaEventRecordExternal)),
        ROW(-1, -1, -1, 0, cudaEventRecordWithFlags(e, s, 2)),
        ROW(-401, -401, -401, 0, cudaStreamWaitEvent(n, done, cudaEventWaitExternal)),
        ROW(-401, -401, -401, 0, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)),
        {"begin and end in n", {0, 0, 0}, 0, [] {
             cudaStreamBeginCapture(n, cudaStreamCaptureModeGlobal);
             cudaGraph_t q;
             return cudaStreamEndCapture(n, &q); }},
        {"begin and end in n, thread-local", {0, 0, 0}, 0, [] {
             cudaStreamBeginCapture(n, cudaStreamCaptureModeThreadLocal);
             cudaGraph_t q;
             return cudaStreamEndCapture(n, &q); }},
    // clang-format on
};

static cudaError_t got;
static void *run(void *row)
{
    got = ((const Row *)row)->run();
    cudaGetLastError();
    return NULL;
}

// Each call once, with a capture of its own.
static void each(int column, cudaStreamCaptureMode mode, bool other_thread)
{
    for (const Row &row : rows) {
        cudaStreamCaptureStatus status;
        cudaGraph_t graph = NULL;
        size_t nodes = 0;
        int wanted = row.code[column];
        // which wants a context that is current, and a new thread has none
        if (other_thread && !strcmp(row.name, "cudaCtxResetPersistingL2Cache()")) continue;
        OK(cudaStreamBeginCapture(s, mode));
        if (other_thread) {
            pthread_t thread;
            pthread_create(&thread, NULL, run, (void *)&row);
            pthread_join(thread, NULL);
        } else run((void *)&row);

        is_at((cudaError_t)abs(wanted), got, column, row.name);
        OK(cudaStreamIsCapturing(s, &status));
        check_at((wanted > 0) == (status == cudaStreamCaptureStatusInvalidated), column, row.name);
        is_at((cudaError_t)(wanted > 0 ? 901 : 0), cudaStreamEndCapture(s, &graph), column, row.name);
        check_at((wanted > 0) == (graph == NULL), column, row.name);
        if (graph) OK(cudaGraphGetNodes(graph, NULL, &nodes));
        check_at((int)nodes == row.nodes, column, row.name);
        if (graph) OK(cudaGraphDestroy(graph));
        OK(cudaStreamIsCapturing(n, &status));
        check_at(status == cudaStreamCaptureStatusNone, column, row.name);
        cudaGetLastError();
        OK(cudaDeviceSynchronize());
    }
}

int main()
{
    cudaGraphNode_t node;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaStreamCreateWithFlags(&n, cudaStreamNonBlocking));
    for (cudaEvent_t *one : {&e, &f, &done, &late}) OK(cudaEventCreate(one));
    OK(cudaMalloc(&d, 4096));
    OK(cudaMalloc(&d2, 4096));
    OK(cudaMallocHost(&pin, 4096));
    OK(cudaMallocManaged(&managed, 4096));
    OK(cudaMemset(d, 0, 4096));
    add<<<1, 1>>>(d, 1);
    OK(cudaEventRecord(done, t));
    OK(cudaEventRecord(late, t));
    OK(cudaGraphCreate(&g0, 0));
    OK(cudaGraphAddEmptyNode(&node, g0, NULL, 0));
    OK(cudaGraphInstantiate(&x0, g0, 0));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaDeviceSynchronize());

    each(GLOBAL, cudaStreamCaptureModeGlobal, false);
    each(GLOBAL, cudaStreamCaptureModeThreadLocal, false);
    each(GLOBAL, cudaStreamCaptureModeGlobal, true);
    each(RELAXED, cudaStreamCaptureModeRelaxed, false);
    OK(cudaStreamDestroy(s));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    each(OF_NON_BLOCKING, cudaStreamCaptureModeGlobal, false);
    return finish("capture_calls");
}
