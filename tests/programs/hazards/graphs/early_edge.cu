// A programmatic edge of a graph made by hand, and a kernel that never waits. One with two such edges waits for both ends.
// hazard: race A B
// hazard: race C B
// err: the edge from A1 to B in the graph is programmatic
// err: the edge from A0 to B in the graph is programmatic
// err: and does not call cudaGridDependencySynchronize()
// right: -DRIGHT
#include "../dependent/dependent.h"
__global__ void A(int *p) { p[rank()] = 1; }
__global__ void B(int *to, const int *p, const int *q)
{
#ifdef RIGHT
    cudaGridDependencySynchronize();
#endif
    to[rank()] = p[rank()] + q[rank()];
}
static cudaKernelNodeParams params(void *func, void **args)
{
    cudaKernelNodeParams p = {};
    p.func = func, p.kernelParams = args;
    p.gridDim = dim3(4), p.blockDim = dim3(256);
    return p;
}
int main()
{
    int *p, *q, *to; cudaMalloc(&p, BYTES), cudaMalloc(&q, BYTES), cudaMalloc(&to, BYTES); keep(p), keep(q), keep(to);
    cudaStream_t s = stream();
    cudaGraph_t graph;
    cudaGraphNode_t from[2], last, both[2];
    cudaGraphExec_t exec;
    cudaGraphEdgeData data[2] = {};
    data[0].type = data[1].type = cudaGraphDependencyTypeProgrammatic;
    data[0].from_port = cudaGraphKernelNodePortProgrammatic;
    data[1].from_port = cudaGraphKernelNodePortLaunchCompletion;
    void *on_p[] = {&p}, *on_q[] = {&q}, *all[] = {&to, &p, &q};
    cudaGraphCreate(&graph, 0);
    cudaKernelNodeParams first = params((void *)A, on_p), second = params((void *)A, on_q), third = params((void *)B, all);
    cudaGraphAddKernelNode(&from[0], graph, NULL, 0, &first);    // A
    cudaGraphAddKernelNode(&from[1], graph, NULL, 0, &second);   // C
    cudaGraphAddKernelNode(&last, graph, NULL, 0, &third);       // B
    both[0] = both[1] = last;
    cudaGraphAddDependencies(graph, from, both, data, 2);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
