// A graph made by hand: nodes without an edge between them run in any order.
// hazard: race A B
// err: cudaGraphAddDependencies
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d, value = 1, n = N; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t s = stream();
    cudaGraph_t graph;
    cudaGraphNode_t first, second;
    cudaGraphExec_t exec;
    void *fill_args[] = {&d, &n, &value}, *add_args[] = {&d, &n};
    cudaKernelNodeParams fills = {}, adds = {};
    fills.func = (void *)fill, fills.kernelParams = fill_args;
    adds.func = (void *)add, adds.kernelParams = add_args;
    fills.gridDim = adds.gridDim = dim3(4), fills.blockDim = adds.blockDim = dim3(256);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, NULL, 0, &fills);      // A
    cudaGraphAddKernelNode(&second, graph, NULL, 0, &adds);      // B
#ifdef RIGHT
    cudaGraphAddDependencies(graph, &first, &second, NULL, 1);
#endif
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
