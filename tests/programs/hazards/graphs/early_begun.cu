// An edge that waits only until all blocks have begun orders nothing, and gives nothing to wait for: neither for a kernel nor
// for a copy. What is behind a kernel that began early is behind both.
// hazard: race A B
// hazard: race A C
// err: no edge of it leads from the end of
// right: -DRIGHT
#include "../dependent/dependent.h"
__global__ void A(int *p) { p[rank()] = 1; }
__global__ void B(int *to, const int *p)
{
    cudaGridDependencySynchronize();
    to[rank()] = p[rank()];
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
    cudaGraphNode_t a, b, copy, last;
    cudaGraphExec_t exec;
    cudaGraphEdgeData begun = {}, early = {};
#ifndef RIGHT
    begun.from_port = cudaGraphKernelNodePortLaunchCompletion;
#endif
    early.type = cudaGraphDependencyTypeProgrammatic;
    early.from_port = cudaGraphKernelNodePortProgrammatic;
    void *on_p[] = {&p}, *on_to[] = {&to, &p}, *on_q[] = {&q};
    cudaKernelNodeParams first = params((void *)A, on_p), second = params((void *)B, on_to), third = params((void *)A, on_q);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&a, graph, NULL, 0, &first);          // A
    cudaGraphAddKernelNode(&b, graph, NULL, 0, &second);         // B
    cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, q, p, BYTES, cudaMemcpyDeviceToDevice); // C
    cudaGraphAddDependencies(graph, &a, &b, &begun, 1);
    cudaGraphAddDependencies(graph, &a, &copy, &begun, 1);
    cudaGraphAddKernelNode(&last, graph, &copy, 1, &third);
    cudaGraphAddDependencies(graph, &b, &last, &early, 1);
    cudaGraphNode_t behind;
    third = params((void *)A, on_to);
    cudaGraphAddKernelNode(&behind, graph, &last, 1, &third);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
