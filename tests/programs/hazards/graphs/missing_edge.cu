// Two branches of a graph touch the same memory, and no edge is between them: right by luck or not, in every launch.
// hazard: race A B
// err: they are nodes of one graph, and no edge of it leads from
// err: in the capture, record an event behind
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d, *e; cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES); keep(d), keep(e);
    cudaStream_t a = stream(), b = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    fill<<<4, 256, 0, a>>>(e, N, 0);
    order(a, b);
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    order(a, b);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    order(b, a);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, a);
    cudaGraphLaunch(exec, a);
    cudaStreamSynchronize(a);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
