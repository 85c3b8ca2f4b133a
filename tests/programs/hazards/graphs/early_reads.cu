// A captured launch that may begin early: what the kernel reads before it has waited for the one before it is a race, in a
// graph as in a stream; what it reads afterwards is not.
// hazard: race A 15
// err: the edge from A0 to B0 in the graph is programmatic
// err: touches the memory before its cudaGridDependencySynchronize()
// right: -DRIGHT
#include "../dependent/dependent.h"
__global__ void A(int *p)
{
    cudaTriggerProgrammaticLaunchCompletion();
    p[rank()] = 1;
}
__global__ void B(int *to, const int *p, const int *own)
{
#ifdef RIGHT
    int value = own[rank()];
#else
    int value = p[rank()];
#endif
    cudaGridDependencySynchronize();
    to[rank()] = value + p[rank()];
}
int main()
{
    int *p, *to, *own; cudaMalloc(&p, BYTES), cudaMalloc(&to, BYTES), cudaMalloc(&own, BYTES); keep(p), keep(to), keep(own);
    cudaStream_t s = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    A<<<4, 256, 0, s>>>(p);                                      // A
    early(s, B, to, p, own);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
