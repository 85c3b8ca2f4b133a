// no capture at all: nodes and arrows by hand
#include "ex56.h"

static cudaGraphNode_t add(cudaGraph_t graph, void *kernel, void **args, const cudaGraphNode_t *after, size_t n)
{
    cudaKernelNodeParams params = {};
    cudaGraphNode_t node;
    params.func = kernel;
    params.gridDim = dim3(BLOCKS);
    params.blockDim = dim3(THREADS);
    params.kernelParams = args;
    cudaGraphAddKernelNode(&node, graph, after, n, &params);
    return node;
}

void replay(float *x, float *left, float *right)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    float rate = 0.0f;
    void *first[] = {&x, &rate}, *fill_left[] = {&left, &x}, *fill_right[] = {&right, &x}, *on_left[] = {&left},
         *on_right[] = {&right}, *both[] = {&x, &left, &right};
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t k1 = add(graph, (void *)K1, first, NULL, 0);
    cudaGraphNode_t k2 = add(graph, (void *)K2, fill_left, &k1, 1), k4 = add(graph, (void *)K4, fill_right, &k1, 1);
    cudaGraphNode_t sides[2] = {add(graph, (void *)K3, on_left, &k2, 1), add(graph, (void *)K5, on_right, &k4, 1)};
    add(graph, (void *)K6, both, sides, 2);
    cudaGraphInstantiate(&exec, graph, 0);

    for (int i = 0; i < REPLAYS; i++) {
        cudaKernelNodeParams params = {};
        rate = rateOf(i);
        params.func = (void *)K1;
        params.gridDim = dim3(BLOCKS);
        params.blockDim = dim3(THREADS);
        params.kernelParams = first;
        cudaGraphKernelNodeSetParams(k1, &params);   /* in the graph, and from there into the executable one */
        cudaGraphExecUpdateResultInfo result;
        cudaGraphExecUpdate(exec, graph, &result);
        cudaGraphLaunch(exec, stream);
    }

    cudaDeviceSynchronize();
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}
