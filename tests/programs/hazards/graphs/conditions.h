// Conditional nodes, made in one line.
#include "../hazards.h"

static inline cudaGraphConditionalHandle condition(cudaGraph_t graph, unsigned value)
{
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalHandleCreate(&handle, graph, value, cudaGraphCondAssignDefault);
    return handle;
}
// Its body, which is still empty.
static inline cudaGraph_t conditional(cudaGraphNode_t *node, cudaGraph_t graph, cudaGraphNode_t *after,
                                      cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type)
{
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
    cudaGraphAddNode(node, graph, after, NULL, after != NULL, &params);
    return params.conditional.phGraph_out[0];
}
static inline void capture_into(cudaGraph_t body, cudaStream_t s)
{
    cudaStreamBeginCaptureToGraph(s, body, NULL, NULL, 0, cudaStreamCaptureModeRelaxed);
}
// Runs it twice, and another kernel behind it.
static inline void launch(cudaGraph_t graph, cudaStream_t s, int *behind)
{
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphLaunch(exec, s);
    add<<<4, 256, 0, s>>>(behind, N);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}
__global__ static void again(cudaGraphConditionalHandle handle, int *left)
{
    cudaGraphSetConditional(handle, --*left > 0);
}
