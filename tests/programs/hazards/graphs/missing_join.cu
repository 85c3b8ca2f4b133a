// A chain of edges orders as well as one edge, and one that ends before the node does not: here the join comes too early.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d, *e; cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES); keep(d), keep(e);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t forked = event(), joined = event();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(forked, a);
    cudaStreamWaitEvent(b, forked, 0);
    fill<<<4, 256, 0, b>>>(e, N, 1);
    cudaEventRecord(joined, b);
    fill<<<4, 256, 0, b>>>(d, N, 1);                             // A
#ifdef RIGHT
    cudaEventRecord(joined, b);
#endif
    cudaStreamWaitEvent(a, joined, 0);
    add<<<4, 256, 0, a>>>(e, N);
    move<<<4, 256, 0, a>>>(e, d, N);                             // B
    cudaEventRecord(joined, b);                                  // (the capture wants b back)
    cudaStreamWaitEvent(a, joined, 0);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, a);
    cudaStreamSynchronize(a);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
