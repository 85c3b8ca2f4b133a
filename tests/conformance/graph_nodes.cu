// Graphs made by hand: what the calls return, and what comes out when they are launched.
// out: ok graph_nodes
#include "conformance.h"

enum { N = 256 };

__global__ void set(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *p, const int *q, int k) { p[threadIdx.x] += q[threadIdx.x] * k; }
static int calls;
static void CUDART_CB count(void *n) { ++*(int *)n; }

static cudaStream_t s;
static int *a, *b, *host;

static cudaKernelNodeParams kernel(void *func, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = func;
    p.gridDim = dim3(1);
    p.blockDim = dim3(N);
    p.kernelParams = args;
    return p;
}

static cudaMemsetParams zero(int *at, size_t n)
{
    cudaMemsetParams p = {};
    p.dst = at;
    p.elementSize = 4;
    p.width = n;
    p.height = 1;
    return p;
}

static int launched(cudaGraphExec_t exec)
{
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    return host[N - 1];
}

static void one_of_each(void)
{
    cudaGraph_t g, child, clone, inside;
    cudaGraphExec_t exec;
    cudaGraphNode_t n[10], some[16], found, other;
    cudaEvent_t e;
    cudaGraphNodeType type;
    size_t many = 16;
    int five = 5, two = 2;
    void *set_args[] = {&b, &five}, *add_args[] = {&a, &b, &two};
    cudaKernelNodeParams set_b = kernel((void *)set, set_args), add_b = kernel((void *)add, add_args), got;
    cudaMemsetParams clear = zero(a, N), got_set;
    cudaHostNodeParams function = {count, &calls}, got_fn;

    OK(cudaEventCreate(&e));
    OK(cudaGraphCreate(&g, 0));
    IS(1, cudaGraphCreate(NULL, 0));
    IS(1, cudaGraphCreate(&child, 1));
    OK(cudaGraphCreate(&child, 0));
    OK(cudaGraphAddKernelNode(&n[9], child, NULL, 0, &set_b));

    OK(cudaGraphAddMemsetNode(&n[0], g, NULL, 0, &clear));
    OK(cudaGraphAddChildGraphNode(&n[1], g, NULL, 0, child));
    OK(cudaGraphAddKernelNode(&n[2], g, n, 2, &add_b));
    OK(cudaGraphAddMemcpyNode1D(&n[3], g, &n[2], 1, host, a, N * 4, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddHostNode(&n[4], g, &n[3], 1, &function));
    OK(cudaGraphAddEmptyNode(&n[5], g, &n[4], 1));
    OK(cudaGraphAddEventRecordNode(&n[6], g, &n[5], 1, e));
    OK(cudaGraphAddEventWaitNode(&n[7], g, &n[6], 1, e));
    five = 1000; /* read when the node was made */

    IS(1, cudaGraphAddEmptyNode(NULL, g, NULL, 0));
    IS(1, cudaGraphAddEmptyNode(&other, NULL, NULL, 0));
    IS(1, cudaGraphAddEmptyNode(&other, g, NULL, 1));
    IS(1, cudaGraphAddEmptyNode(&other, g, &n[9], 1)); /* of another graph */
    some[0] = some[1] = n[0];
    IS(1, cudaGraphAddEmptyNode(&other, g, some, 2)); /* twice */
    IS(1, cudaGraphAddKernelNode(&other, g, NULL, 0, NULL));
    IS(1, cudaGraphAddHostNode(&other, g, NULL, 0, NULL));

    OK(cudaGraphGetNodes(g, NULL, &many));
    CHECK(many == 8);
    many = 16;
    OK(cudaGraphGetNodes(g, some, &many));
    CHECK(many == 8 && some[8] == NULL);
    many = 16;
    OK(cudaGraphGetRootNodes(g, some, &many));
    CHECK(many == 2);
    OK(cudaGraphGetEdges(g, NULL, NULL, NULL, &many));
    CHECK(many == 7);
    IS(1, cudaGraphClone(NULL, g));
    OK(cudaGraphNodeGetDependencies(n[2], NULL, NULL, &many));
    CHECK(many == 2);
    OK(cudaGraphNodeGetDependentNodes(n[2], some, NULL, &(many = 1)));
    CHECK(many == 1 && some[0] == n[3]);
    static const cudaGraphNodeType types[] = {cudaGraphNodeTypeMemset, cudaGraphNodeTypeGraph, cudaGraphNodeTypeKernel,
        cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeHost, cudaGraphNodeTypeEmpty, cudaGraphNodeTypeEventRecord,
        cudaGraphNodeTypeWaitEvent};
    for (int i = 0; i < 8; i++) {
        OK(cudaGraphNodeGetType(n[i], &type));
        CHECK(type == types[i]);
    }
    OK(cudaGraphKernelNodeGetParams(n[2], &got));
    CHECK(got.blockDim.x == N && *(int *)got.kernelParams[2] == 2 && *(int **)got.kernelParams[0] == a);
    OK(cudaGraphMemsetNodeGetParams(n[0], &got_set));
    CHECK(got_set.dst == a && got_set.width == N);
    OK(cudaGraphHostNodeGetParams(n[4], &got_fn));
    CHECK(got_fn.userData == &calls);
    IS(1, cudaGraphKernelNodeGetParams(n[0], &got));
    OK(cudaGraphChildGraphNodeGetGraph(n[1], &inside));
    CHECK(inside != child);
    OK(cudaGraphDestroy(child)); /* the node has a copy */

    OK(cudaGraphInstantiate(&exec, g, 0));
    CHECK(launched(exec) == 10 && calls == 1);
    CHECK(launched(exec) == 10 && calls == 2);
    OK(cudaEventSynchronize(e));

    /* switching a node off, and giving it other arguments, changes this executable graph alone */
    unsigned enabled = 9;
    OK(cudaGraphNodeGetEnabled(exec, n[0], &enabled));
    CHECK(enabled == 1);
    OK(cudaGraphNodeSetEnabled(exec, n[0], 0));
    CHECK(launched(exec) == 20);
    OK(cudaGraphNodeSetEnabled(exec, n[0], 1));
    IS(1, cudaGraphNodeSetEnabled(exec, n[4], 0));
    two = 3;
    OK(cudaGraphExecKernelNodeSetParams(exec, n[2], &add_b));
    CHECK(launched(exec) == 15);
    IS(1, cudaGraphExecKernelNodeSetParams(exec, n[0], &add_b));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, g, 0));
    CHECK(launched(exec) == 10);
    OK(cudaGraphExecDestroy(exec));
    two = 4;
    OK(cudaGraphKernelNodeSetParams(n[2], &add_b));

    /* a copy, and the same node in it */
    OK(cudaGraphClone(&clone, g));
    OK(cudaGraphNodeFindInClone(&found, n[2], clone));
    CHECK(found != n[2]);
    IS(1, cudaGraphNodeFindInClone(&found, n[2], g)); /* no copy */
    OK(cudaGraphDestroyNode(n[7]));
    OK(cudaGraphGetNodes(g, NULL, &many));
    CHECK(many == 7);
    OK(cudaGraphGetNodes(clone, NULL, &many));
    CHECK(many == 8);
    OK(cudaGraphInstantiate(&exec, clone, 0));
    CHECK(launched(exec) == 20);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(g));
    OK(cudaEventDestroy(e));
}

static void edges(void)
{
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t n[3];
    size_t many;
    OK(cudaGraphCreate(&g, 0));
    for (int i = 0; i < 3; i++) OK(cudaGraphAddEmptyNode(&n[i], g, NULL, 0));
    OK(cudaGraphAddDependencies(g, &n[0], &n[1], NULL, 1));
    IS(1, cudaGraphAddDependencies(g, &n[0], &n[1], NULL, 1)); /* it is there */
    OK(cudaGraphAddDependencies(g, &n[1], &n[2], NULL, 1));
    OK(cudaGraphRemoveDependencies(g, &n[0], &n[1], NULL, 1));
    IS(1, cudaGraphRemoveDependencies(g, &n[0], &n[1], NULL, 1)); /* it is not */
    OK(cudaGraphGetEdges(g, NULL, NULL, NULL, &many));
    CHECK(many == 1);
    OK(cudaGraphAddDependencies(g, &n[2], &n[1], NULL, 1)); /* a circle */
    IS(1, cudaGraphInstantiate(&exec, g, 0));
    cudaGraphInstantiateParams params = {};
    IS(1, cudaGraphInstantiateWithParams(&exec, g, &params));
    CHECK(params.result_out == cudaGraphInstantiateInvalidStructure);
    OK(cudaGraphRemoveDependencies(g, &n[2], &n[1], NULL, 1));
    OK(cudaGraphInstantiateWithParams(&exec, g, &params));
    CHECK(params.result_out == cudaGraphInstantiateSuccess);
    unsigned long long flags = 99;
    OK(cudaGraphExecGetFlags(exec, &flags));
    CHECK(flags == 0);
    IS(1, cudaGraphInstantiate(&exec, g, 64));
    IS(1, cudaGraphInstantiate(NULL, g, 0));
    OK(cudaGraphUpload(exec, s));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
}

/* The whole of an executable graph from a graph of the same shape. */
static cudaGraph_t made(int v, bool copy_first, cudaGraphNode_t n[2])
{
    cudaGraph_t g;
    void *args[] = {&a, &v};
    cudaKernelNodeParams p = kernel((void *)set, args);
    OK(cudaGraphCreate(&g, 0));
    if (copy_first) OK(cudaGraphAddMemcpyNode1D(&n[0], g, NULL, 0, host, a, N * 4, cudaMemcpyDeviceToHost));
    else OK(cudaGraphAddKernelNode(&n[0], g, NULL, 0, &p));
    if (copy_first) OK(cudaGraphAddKernelNode(&n[1], g, n, 1, &p));
    else OK(cudaGraphAddMemcpyNode1D(&n[1], g, n, 1, host, a, N * 4, cudaMemcpyDeviceToHost));
    return g;
}

static void updates(void)
{
    cudaGraphNode_t n[2], m[2], extra;
    cudaGraph_t first = made(1, false, n), other = made(2, false, m);
    cudaGraphExec_t exec;
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphInstantiate(&exec, first, 0));
    CHECK(launched(exec) == 1);
    OK(cudaGraphExecUpdate(exec, other, &info));
    CHECK(info.result == cudaGraphExecUpdateSuccess && !info.errorNode && !info.errorFromNode);
    CHECK(launched(exec) == 2);
    OK(cudaGraphAddEmptyNode(&extra, other, NULL, 0));
    IS(910, cudaGraphExecUpdate(exec, other, &info));
    CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    CHECK(launched(exec) == 2);
    OK(cudaGraphDestroy(other));
    other = made(3, true, m);
    IS(910, cudaGraphExecUpdate(exec, other, &info));
    CHECK(info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
    CHECK(launched(exec) == 2);
    IS(910, cudaGraphExecUpdate(exec, other, NULL)); /* who does not want to know why */
    OK(cudaGraphDestroy(other));
    OK(cudaGraphDestroy(first));
    OK(cudaGraphExecDestroy(exec));
}

/* A captured kernel is a node like one that was made by hand; its priority is its stream's. */
static void captured(void)
{
    cudaGraph_t g;
    cudaGraphExec_t exec;
    cudaGraphNode_t n[3];
    cudaKernelNodeParams p;
    cudaLaunchAttributeValue value;
    cudaStream_t urgent;
    size_t many = 3;
    int low, high, other = 7;
    OK(cudaDeviceGetStreamPriorityRange(&low, &high));
    OK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, high));
    OK(cudaStreamBeginCapture(urgent, cudaStreamCaptureModeGlobal));
    set<<<1, N, 0, urgent>>>(a, 1);
    OK(cudaMemcpyAsync(host, a, N * 4, cudaMemcpyDeviceToHost, urgent));
    OK(cudaStreamEndCapture(urgent, &g));
    OK(cudaGraphGetNodes(g, n, &many));
    OK(cudaGraphKernelNodeGetParams(n[0], &p));
    CHECK(p.blockDim.x == N && *(int **)p.kernelParams[0] == a && *(int *)p.kernelParams[1] == 1);
    OK(cudaGraphKernelNodeGetAttribute(n[0], cudaLaunchAttributePriority, &value));
    CHECK(value.priority == high);
    OK(cudaGraphKernelNodeGetAttribute(n[0], cudaLaunchAttributeCooperative, &value));
    CHECK(value.cooperative == 0);
    value.priority = low;
    OK(cudaGraphKernelNodeSetAttribute(n[0], cudaLaunchAttributePriority, &value));
    IS(1, cudaGraphKernelNodeSetAttribute(n[1], cudaLaunchAttributePriority, &value));
    OK(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagUseNodePriority));
    CHECK(launched(exec) == 1);
    void *args[] = {p.kernelParams[0], &other};
    p.kernelParams = args;
    OK(cudaGraphExecKernelNodeSetParams(exec, n[0], &p));
    CHECK(launched(exec) == 7);

    /* a launch that may begin early is behind an edge that says so */
    cudaGraph_t early;
    cudaGraphNode_t from[3], to[3];
    cudaGraphEdgeData data[3];
    cudaLaunchAttribute serial = {};
    cudaLaunchConfig_t config = {};
    serial.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    serial.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(1);
    config.blockDim = dim3(N);
    config.stream = urgent;
    config.attrs = &serial;
    config.numAttrs = 1;
    OK(cudaStreamBeginCapture(urgent, cudaStreamCaptureModeGlobal));
    set<<<1, N, 0, urgent>>>(a, 1);
    OK(cudaLaunchKernelEx(&config, set, b, 2));
    OK(cudaStreamEndCapture(urgent, &early));
    IS(402, cudaGraphGetEdges(early, from, to, NULL, &(many = 3)));
    OK(cudaGraphGetEdges(early, from, to, data, &(many = 3)));
    CHECK(many == 1 && data[0].type == cudaGraphDependencyTypeProgrammatic);
    CHECK(data[0].from_port == cudaGraphKernelNodePortProgrammatic && data[0].to_port == 0);
    OK(cudaGraphDestroy(early));

    /* a launch cannot be captured; a child holds the graph */
    cudaGraph_t outer;
    cudaGraphNodeType type;
    OK(cudaStreamBeginCapture(urgent, cudaStreamCaptureModeRelaxed));
    IS(900, cudaGraphLaunch(exec, urgent));
    IS(901, cudaStreamEndCapture(urgent, &outer));
    cudaGetLastError();
    OK(cudaGraphCreate(&outer, 0));
    OK(cudaGraphAddChildGraphNode(&n[0], outer, NULL, 0, g));
    OK(cudaGraphNodeGetType(n[0], &type));
    CHECK(type == cudaGraphNodeTypeGraph);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, outer, 0));
    host[N - 1] = 0;
    CHECK(launched(exec) == 1);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(outer));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(urgent));
}

/* ---- memory ---- */

static void memory(void)
{
    cudaGraph_t g, frees;
    cudaGraphExec_t exec, second, freeing;
    cudaGraphNode_t n[4];
    cudaMemAllocNodeParams p = {};
    int v = 6, one = 1;
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = N * 4;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemAllocNode(&n[0], g, NULL, 0, &p));
    void *set_args[] = {&p.dptr, &v}, *add_args[] = {&a, &p.dptr, &one};
    cudaKernelNodeParams fill = kernel((void *)set, set_args), use = kernel((void *)add, add_args);
    OK(cudaGraphAddKernelNode(&n[1], g, n, 1, &fill));
    OK(cudaGraphAddKernelNode(&n[2], g, &n[1], 1, &use));
    OK(cudaGraphAddMemFreeNode(&n[3], g, &n[2], 1, p.dptr));
    IS(1, cudaGraphAddMemFreeNode(&n[3], g, &n[2], 1, p.dptr)); /* twice in one graph */
    IS(1, cudaGraphAddMemFreeNode(&n[3], g, &n[2], 1, a));      /* of no graph */
    IS(801, cudaGraphDestroyNode(n[0]));
    IS(801, cudaGraphRemoveDependencies(g, &n[0], &n[1], NULL, 1));
    OK(cudaGraphInstantiate(&exec, g, 0));
    cudaGetLastError();
    IS(801, cudaGraphInstantiate(&second, g, 0)); /* one at a time */
    OK(cudaMemset(a, 0, N * 4));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 3; i++) OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(host, a, N * 4, cudaMemcpyDeviceToHost));
    CHECK(host[N - 1] == 18);
    size_t used = 1, high = 0;
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &high));
    CHECK(high >= N * 4);
    IS(1, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CHECK(used >= N * 4); /* it is kept for later launches */
    OK(cudaDeviceGraphMemTrim(0));
    OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CHECK(used == 0);

    /* not freed in the graph: usable until somebody frees it, and not launched again before */
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphAddMemAllocNode(&n[0], g, NULL, 0, &p));
    OK(cudaGraphInstantiate(&exec, g, 0));
    OK(cudaGraphLaunch(exec, s));
    IS(1, cudaGraphLaunch(exec, s));
    set<<<1, N, 0, s>>>((int *)p.dptr, 9);
    OK(cudaMemcpyAsync(host, p.dptr, N * 4, cudaMemcpyDeviceToHost, s));
    OK(cudaFreeAsync(p.dptr, s));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    CHECK(host[0] == 9);
    OK(cudaGraphCreate(&frees, 0));
    OK(cudaGraphAddMemFreeNode(&n[1], frees, NULL, 0, p.dptr));
    IS(1, cudaGraphAddMemFreeNode(&n[1], g, &n[0], 1, p.dptr)); /* in either the one or the other */
    OK(cudaGraphInstantiate(&freeing, frees, 0));
    OK(cudaGraphLaunch(freeing, s));
    OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaFree(p.dptr));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphInstantiate(&exec, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int i = 0; i < 3; i++) OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphExecDestroy(freeing));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(frees));
}

/* ---- conditions ---- */

__global__ void down(int *p, cudaGraphConditionalHandle h)
{
    p[1]++;
    if (--p[0] <= 0) cudaGraphSetConditional(h, 0);
}
__global__ void choose(cudaGraphConditionalHandle h, unsigned v) { cudaGraphSetConditional(h, v); }
__global__ void mark(int *p, int v) { *p += v; }

static cudaGraphNodeParams one_thread(void *func, void **args)
{
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = func;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = args;
    return p;
}

static void conditions(void)
{
    cudaGraph_t g, body;
    cudaGraphExec_t exec;
    cudaGraphNode_t n[3], m;
    cudaGraphConditionalHandle loop, branch;
    unsigned which = 1;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&loop, g, 1, cudaGraphCondAssignDefault));
    OK(cudaGraphConditionalHandleCreate(&branch, g, 0, 0));
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = loop;
    p.conditional.type = cudaGraphCondTypeWhile;
    p.conditional.size = 2;
    IS(1, cudaGraphAddNode(&n[0], g, NULL, NULL, 0, &p)); /* a loop has one body */
    p.conditional.size = 1;
    OK(cudaGraphAddNode(&n[0], g, NULL, NULL, 0, &p));
    IS(1, cudaGraphAddNode(&n[1], g, NULL, NULL, 0, &p)); /* a handle is for one node */
    body = p.conditional.phGraph_out[0];
    OK(cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeRelaxed));
    down<<<1, 1, 0, s>>>(a, loop);
    OK(cudaStreamEndCapture(s, &body));
    IS(1, cudaGraphDestroy(body)); /* the node's */
    cudaGetLastError();
    CHECK(cudaGraphInstantiate(&exec, g, 0) != cudaSuccess); /* a handle without a node */

    void *choice[] = {&branch, &which};
    cudaGraphNodeParams k = one_thread((void *)choose, choice);
    OK(cudaGraphAddNode(&n[1], g, &n[0], NULL, 1, &k));
    p = cudaGraphNodeParams{cudaGraphNodeTypeConditional};
    p.conditional.handle = branch;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 2;
    OK(cudaGraphAddNode(&n[2], g, &n[1], NULL, 1, &p));
    for (int i = 0; i < 2; i++) {
        int v = i ? 1000 : 100, *at = a + 2;
        void *args[] = {&at, &v};
        cudaGraphNodeParams q = one_thread((void *)mark, args);
        OK(cudaGraphAddNode(&m, p.conditional.phGraph_out[i], NULL, NULL, 0, &q));
    }
    cudaGraph_t clone;
    cudaGetLastError();
    CHECK(cudaGraphClone(&clone, g) != cudaSuccess);
    OK(cudaGraphInstantiate(&exec, g, 0));
    int numbers[3] = {4, 0, 0};
    for (int round = 0; round < 2; round++) {
        numbers[0] = 4;
        OK(cudaMemcpy(a, numbers, sizeof numbers, cudaMemcpyHostToDevice));
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
        OK(cudaMemcpy(numbers, a, sizeof numbers, cudaMemcpyDeviceToHost));
        CHECK(numbers[0] == 0 && numbers[1] == 4 * (round + 1) && numbers[2] == 100 + 1000 * round);
        which = 0;
        k = one_thread((void *)choose, choice);
        OK(cudaGraphExecNodeSetParams(exec, n[1], &k));
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(g));
}

/* ---- things of the program's own ---- */

static void objects(void)
{
    cudaGraph_t g, clone;
    cudaUserObject_t object;
    int gone = 0;
    IS(1, cudaUserObjectCreate(&object, &gone, count, 1, 0));
    OK(cudaUserObjectCreate(&object, &gone, count, 1, cudaUserObjectNoDestructorSync));
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove));
    OK(cudaGraphClone(&clone, g));
    OK(cudaGraphDestroy(g));
    CHECK(gone == 0);
    OK(cudaGraphDestroy(clone));
    for (int i = 0; i < 1000 && !*(volatile int *)&gone; i++) cudaDeviceSynchronize();
    CHECK(gone == 1);
}

int main()
{
    OK(cudaStreamCreate(&s));
    OK(cudaMalloc((void **)&a, N * 4));
    OK(cudaMalloc((void **)&b, N * 4));
    OK(cudaMallocHost((void **)&host, N * 4));
    one_of_each();
    edges();
    updates();
    captured();
    memory();
    conditions();
    objects();
    return finish("graph_nodes");
}
