// Captures and graphs by the driver API: as the runtime's, with the driver's codes, which are the same numbers.
// nvcc: -lcuda
// flags: -lcuda
// out: ok driver_graphs
#include "driver.h"

static int calls;
static void CUDA_CB count(void *n) { ++*(int *)n; }

int main()
{
    CUstream s, t;
    CUdeviceptr d, other;
    CUgraph g, clone, outer;
    CUgraphExec exec;
    CUgraphNode n[4], extra;
    CUgraphNodeType type;
    CUstreamCaptureStatus status;
    CUgraphExecUpdateResultInfo info;
    unsigned host[4] = {0}, enabled = 9;
    size_t many = 4;
    primary();
    GIVES(0, cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    GIVES(0, cuStreamCreate(&t, CU_STREAM_DEFAULT));
    GIVES(0, cuMemAlloc(&d, 16));
    GIVES(401, cuStreamEndCapture(s, &g));
    GIVES(900, cuStreamBeginCapture(0, CU_STREAM_CAPTURE_MODE_GLOBAL));
    GIVES(1, cuStreamBeginCapture(s, (CUstreamCaptureMode)9));

    GIVES(0, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    GIVES(900, cuMemAlloc(&other, 16));
    GIVES(0, cuStreamIsCapturing(s, &status));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    GIVES(901, cuStreamEndCapture(s, &g));
    CHECK(g == NULL);
    GIVES(0, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    GIVES(900, cuStreamSynchronize(s));
    GIVES(901, cuStreamEndCapture(s, &g));
    GIVES(0, cuStreamBeginCapture(t, CU_STREAM_CAPTURE_MODE_GLOBAL));
    GIVES(906, cuMemsetD32Async(d, 1, 4, 0));
    GIVES(901, cuStreamEndCapture(t, &g));

    GIVES(0, cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    GIVES(0, cuMemsetD32Async(d, 7, 4, s));
    GIVES(0, cuMemcpyDtoHAsync(host, d, 16, s));
    GIVES(0, cuLaunchHostFunc(s, count, &calls));
    GIVES(0, cuStreamEndCapture(s, &g));
    CHECK(host[0] == 0);
    GIVES(0, cuGraphGetNodes(g, n, &many));
    CHECK(many == 3);
    GIVES(0, cuGraphNodeGetType(n[0], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_MEMSET);
    GIVES(0, cuGraphNodeGetType(n[1], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_MEMCPY);
    GIVES(0, cuGraphNodeGetType(n[2], &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_HOST);
    GIVES(0, cuGraphInstantiate(&exec, g, 0));
    GIVES(0, cuGraphUpload(exec, s));
    GIVES(0, cuGraphLaunch(exec, s));
    GIVES(0, cuStreamSynchronize(s));
    CHECK(host[3] == 7 && calls == 1);
    GIVES(0, cuGraphNodeSetEnabled(exec, n[0], 0));
    GIVES(0, cuGraphNodeGetEnabled(exec, n[0], &enabled));
    CHECK(enabled == 0);

    GIVES(0, cuGraphClone(&clone, g));
    GIVES(0, cuGraphExecUpdate(exec, clone, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    GIVES(0, cuGraphAddEmptyNode(&extra, clone, NULL, 0));
    GIVES(910, cuGraphExecUpdate(exec, clone, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    GIVES(0, cuGraphAddDependencies(clone, &extra, &extra + 0, NULL, 0));
    GIVES(0, cuGraphDestroyNode(extra));

    GIVES(0, cuGraphCreate(&outer, 0));
    GIVES(0, cuGraphAddChildGraphNode(&n[0], outer, NULL, 0, clone));
    GIVES(0, cuGraphDestroy(clone));
    GIVES(0, cuGraphDestroy(g));
    GIVES(0, cuGraphExecDestroy(exec));
    GIVES(0, cuGraphInstantiate(&exec, outer, 0));
    GIVES(0, cuGraphLaunch(exec, t));
    GIVES(0, cuStreamSynchronize(t));
    CHECK(calls == 2);
    GIVES(0, cuGraphExecDestroy(exec));
    GIVES(0, cuGraphDestroy(outer));
    return finish("driver_graphs");
}
