// What each call costs its thread is what the model says, to the nanosecond, and nothing that was not called costs.
// run: THREELANE_MODEL=@/call_costs.ini
// out: all as the model says
#include <cstdio>
#include <cstdlib>
#include <ctime>

static int wrong;

static long long now_ns()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

template <class F> static void costs(const char *what, long long ns, F call)
{
    cudaDeviceSynchronize();
    long long begin = now_ns();
    cudaError_t error = call();
    long long took = now_ns() - begin;
    if (error || took != ns) printf("%s: %s, %lld ns, not %lld\n", what, cudaGetErrorName(error), took, ns), wrong++;
}

__global__ void work() {}
static void CUDART_CB nothing(void *) {}

int main()
{
    enum { MIB = 1 << 20 };
    void *d, *m, *h;
    size_t pitch;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaFree(0);

    costs("cudaMalloc", 1103, [&] { return cudaMalloc(&d, 4 * MIB); });
    costs("cudaMallocPitch", 1103, [&] { return cudaMallocPitch(&m, &pitch, 100, 10); });
    costs("cudaFree", 1109, [&] { return cudaFree(m); });
    costs("cudaMallocManaged", 1103, [&] { return cudaMallocManaged(&m, MIB); });
    cudaFree(m);
    costs("cudaMallocHost", 1117 + 4 * 7, [&] { return cudaMallocHost(&h, 4 * MIB); });
    costs("cudaFreeHost", 1123 + 4 * 11, [&] { return cudaFreeHost(h); });
    costs("cudaHostAlloc", 1117 + 2 * 7, [&] { return cudaHostAlloc(&h, 2 * MIB, cudaHostAllocDefault); });
    void *mine = aligned_alloc(4096, 8 * MIB);
    costs("cudaHostRegister", 1129 + 8 * 13, [&] { return cudaHostRegister(mine, 8 * MIB, cudaHostRegisterDefault); });
    costs("cudaHostUnregister", 1123 + 8 * 17, [&] { return cudaHostUnregister(mine); });

    costs("cudaStreamCreate", 1087, [&] { return cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); });
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    costs("cudaEventCreate", 1093, [&] { return cudaEventCreate(&e); });
    costs("cudaEventRecord", 1021, [&] { return cudaEventRecord(e, s); });
    costs("cudaStreamWaitEvent", 1031, [&] { return cudaStreamWaitEvent(t, e, 0); });
    costs("cudaEventQuery", 1033, [&] { return cudaEventQuery(e); });
    costs("cudaStreamQuery", 1039, [&] { return cudaStreamQuery(s); });
    costs("cudaEventSynchronize", 1051, [&] { return cudaEventSynchronize(e); });
    costs("cudaStreamSynchronize", 1049, [&] { return cudaStreamSynchronize(s); });
    costs("cudaDeviceSynchronize", 1061, [&] { return cudaDeviceSynchronize(); });
    costs("cudaSetDevice", 1153, [&] { return cudaSetDevice(0); });
    costs("a launch", 1009, [&] { return work<<<1, 1, 0, s>>>(), cudaSuccess; });
    costs("cudaMemcpyAsync", 1013, [&] { return cudaMemcpyAsync(d, h, MIB, cudaMemcpyHostToDevice, s); });
    costs("cudaMemsetAsync", 1019, [&] { return cudaMemsetAsync(d, 0, MIB, s); });
    costs("cudaLaunchHostFunc", 1063, [&] { return cudaLaunchHostFunc(s, nothing, NULL); });

    // the first memory that a pool takes costs more than what it takes later, after a synchronisation at which it has
    // given all of it back; what it has, nothing
    costs("the first cudaMallocAsync", 1069 + 100000 + 32 * 1000, [&] { return cudaMallocAsync(&m, MIB, s); });
    costs("cudaFreeAsync", 1069, [&] { return cudaFreeAsync(m, s); });
    costs("later", 1069 + 32 * 1000, [&] { return cudaMallocAsync(&m, MIB, s); });
    cudaFreeAsync(m, s);
    long long begin = now_ns();
    cudaMallocAsync(&m, MIB, s);
    if (now_ns() - begin != 1069) printf("from what the pool has: %lld ns\n", now_ns() - begin), wrong++;
    cudaFreeAsync(m, s);

    // a call that is only captured costs that; the first launch uploads, the second does not
    cudaGraph_t graph, more;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    costs("cudaStreamBeginCapture", 1151, [&] { return cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); });
    begin = now_ns();
    work<<<1, 1, 0, s>>>();
    cudaMemsetAsync(d, 0, MIB, s);
    if (now_ns() - begin != 2 * 1181) printf("two that are captured: %lld ns\n", now_ns() - begin), wrong++;
    begin = now_ns();
    cudaStreamEndCapture(s, &graph);
    if (now_ns() - begin != 1151) printf("cudaStreamEndCapture: %lld ns\n", now_ns() - begin), wrong++;
    costs("cudaGraphInstantiate", 1171 + 2 * 10, [&] { return cudaGraphInstantiate(&exec, graph, 0); });
    costs("the first cudaGraphLaunch", 1163 + 2 + 100 + 2 * 10000, [&] { return cudaGraphLaunch(exec, s); });
    costs("the second", 1163 + 2 + 100, [&] { return cudaGraphLaunch(exec, s); });
    costs("cudaGraphExecDestroy", 1151, [&] { return cudaGraphExecDestroy(exec); });
    cudaGraphInstantiate(&exec, graph, 0);
    costs("cudaGraphUpload", 1151 + 2 * 10000, [&] { return cudaGraphUpload(exec, s); });
    costs("a launch of what is there", 1163 + 2 + 100, [&] { return cudaGraphLaunch(exec, s); });
    cudaGraphExecDestroy(exec);
    costs("cudaGraphClone", 1151, [&] { return cudaGraphClone(&more, graph); });
    costs("cudaGraphAddEmptyNode", 1151, [&] { return cudaGraphAddEmptyNode(&node, more, NULL, 0); });
    costs("cudaGraphDestroyNode", 1151, [&] { return cudaGraphDestroyNode(node); });
    costs("cudaGraphDestroy", 1151, [&] { return cudaGraphDestroy(more); });
    costs("cudaGraphCreate", 1151, [&] { return cudaGraphCreate(&more, 0); });
    cudaGraphDestroy(more);
    cudaGraphDestroy(graph);

    cudaMemPool_t pool;
    cudaMemPoolProps about = {};
    about.allocType = cudaMemAllocationTypePinned;
    about.location.type = cudaMemLocationTypeDevice;
    costs("cudaMemPoolCreate", 1151, [&] { return cudaMemPoolCreate(&pool, &about); });
    costs("cudaMemPoolDestroy", 1151, [&] { return cudaMemPoolDestroy(pool); });
    costs("cudaEventDestroy", 1097, [&] { return cudaEventDestroy(e); });
    costs("cudaStreamDestroy", 1091, [&] { return cudaStreamDestroy(s); });
    cudaStreamDestroy(t);
    cudaFreeHost(h);
    cudaFree(d);
    free(mine);
    if (!wrong) puts("all as the model says");
    return wrong > 0;
}
