// What calls around captures, graphs and attributes of launches return where the headers leave it open: as an H200
// answered.
// out: ok graph_codes
#include "conformance.h"

__global__ void add(int *p, int n) { *p += n; }
static void CUDART_CB nothing(void *) {}

static cudaStream_t s, t;
static cudaEvent_t e, done;
static int *d, *pinned, one = 1;
static void *arguments[] = {&d, &one};

static cudaKernelNodeParams kernel(unsigned grid, unsigned block, unsigned shared)
{
    cudaKernelNodeParams p = {};
    p.func = (void *)add;
    p.gridDim = dim3(grid);
    p.blockDim = dim3(block);
    p.sharedMemBytes = shared;
    p.kernelParams = arguments;
    return p;
}

// An event stands for nodes while the capture lasts, and for nothing that can be asked for when it is over.
static void events_of_a_capture(void)
{
    cudaGraph_t graph;
    float ms;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    OK(cudaStreamEndCapture(s, &graph));
    IS(1, cudaEventQuery(e));
    IS(1, cudaEventSynchronize(e));
    IS(1, cudaStreamWaitEvent(t, e, 0));
    OK(cudaStreamSynchronize(t));
    IS(1, cudaEventElapsedTime(&ms, done, e));
    cudaGetLastError();
    OK(cudaEventRecord(e, t));
    OK(cudaEventSynchronize(e));
    OK(cudaGraphDestroy(graph));
}

// A capture ends with the stream that it began in.
static void the_origin_destroyed(void)
{
    cudaStream_t origin;
    int *p;
    OK(cudaStreamCreate(&origin));
    OK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, origin>>>(d, 1);
    OK(cudaStreamDestroy(origin));
    OK(cudaMalloc(&p, 4));
    OK(cudaDeviceSynchronize());
    OK(cudaFree(p));
}

static void a_graph_under_capture(void)
{
    cudaGraph_t graph, got;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, &graph, NULL, NULL, NULL));
    IS(906, cudaStreamIsCapturing(0, &status));
    CHECK(status == cudaStreamCaptureStatusActive); // not written
    IS(401, cudaGraphDestroy(graph));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphDestroy(graph));

    OK(cudaGraphCreate(&graph, 0));
    OK(cudaStreamBeginCaptureToGraph(s, graph, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    IS(401, cudaStreamBeginCaptureToGraph(t, graph, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    OK(cudaStreamEndCapture(s, &got));
    CHECK(got == graph);
    OK(cudaStreamIsCapturing(t, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
    OK(cudaGraphDestroy(graph));
}

// What cannot run in the body of a condition is told when the graph is instantiated.
static void bodies(void)
{
    cudaGraph_t graph, body;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node, other;
    cudaGraphNodeParams p = {};
    cudaHostNodeParams function = {nothing, NULL};
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 64;

    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
    body = p.conditional.phGraph_out[0];
    OK(cudaGraphAddHostNode(&node, body, NULL, 0, &function));
    IS(1, cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroyNode(node));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphAddEventRecordNode(&node, body, NULL, 0, done));
    OK(cudaGraphAddMemAllocNode(&other, body, NULL, 0, &memory));
    IS(1, cudaGraphInstantiate(&exec, graph, 0));
    cudaGetLastError();
    OK(cudaGraphDestroy(graph));
}

static void nodes(void)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t a, set, bad;
    unsigned long long flags;
    cudaKernelNodeParams k = kernel(1, 1, 0);
    cudaMemsetParams m = {};
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddKernelNode(&a, graph, NULL, 0, &k));
    m.dst = d;
    m.elementSize = 4;
    m.width = 4;
    m.height = 1;
    OK(cudaGraphAddMemsetNode(&set, graph, &a, 1, &m));

    // A launch that could never be is a wrong value of a node, not a wrong configuration.
    k = kernel(0, 1, 0);
    IS(1, cudaGraphAddKernelNode(&bad, graph, NULL, 0, &k));
    k = kernel(1, 0, 0);
    IS(1, cudaGraphAddKernelNode(&bad, graph, NULL, 0, &k));
    k = kernel(1, 2000, 0);
    IS(1, cudaGraphAddKernelNode(&bad, graph, NULL, 0, &k));
    IS(1, cudaGraphKernelNodeSetParams(a, &k));
    k = kernel(1, 1, 1 << 20);
    IS(1, cudaGraphAddKernelNode(&bad, graph, NULL, 0, &k));

    // The flag for priorities is not told again.
    OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
    OK(cudaGraphExecGetFlags(exec, &flags));
    CHECK(flags == 0);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, graph,
                            cudaGraphInstantiateFlagUseNodePriority | cudaGraphInstantiateFlagAutoFreeOnLaunch));
    OK(cudaGraphExecGetFlags(exec, &flags));
    CHECK(flags == cudaGraphInstantiateFlagAutoFreeOnLaunch);

    // A set may become one of other elements, and of other memory.
    m.elementSize = 1;
    OK(cudaGraphExecMemsetNodeSetParams(exec, set, &m));
    m.elementSize = 4;
    m.dst = pinned;
    OK(cudaGraphExecMemsetNodeSetParams(exec, set, &m));
    cudaGetLastError();
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    CHECK(pinned[0] == 0 && pinned[3] == 0 && pinned[4] == 7);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

static cudaError_t launch(cudaLaunchAttribute *attribute)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = s;
    config.attrs = attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, add, d, 1);
}

static void attributes(void)
{
    cudaStreamAttrValue value;
    memset(&value, 0, sizeof value);
    OK(cudaStreamGetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));
    CHECK((int)value.syncPolicy == -1);
    IS(1, cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &value));

    cudaEvent_t untimed;
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = untimed;
    attribute.val.programmaticEvent.flags = cudaEventRecordExternal;
    IS(401, launch(&attribute));
    attribute = {};
    attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    IS(801, launch(&attribute));
    cudaGetLastError();
    OK(cudaEventDestroy(untimed));
}

int main()
{
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&done));
    OK(cudaMalloc(&d, 64));
    OK(cudaMallocHost(&pinned, 64));
    OK(cudaMemset(d, 0, 64));
    for (int i = 0; i < 16; i++) pinned[i] = 7;
    OK(cudaEventRecord(done, t));
    OK(cudaStreamSynchronize(t));
    events_of_a_capture();
    the_origin_destroyed();
    a_graph_under_capture();
    bodies();
    nodes();
    attributes();

    // No mode is wrong.
    cudaStreamCaptureMode mode = (cudaStreamCaptureMode)9;
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    return finish("graph_codes");
}
