// What comes behind a graph in its stream comes behind all its nodes; another stream has to wait for the stream.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d, *e; cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES); keep(d), keep(e);
    cudaStream_t a = stream(), b = stream(), c = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    order(a, b);
    fill<<<4, 256, 0, b>>>(d, N, 1);                             // A
    fill<<<4, 256, 0, a>>>(e, N, 1);
    order(b, a);
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, a);
    add<<<4, 256, 0, a>>>(e, N);
#ifdef RIGHT
    order(a, c);
#endif
    add<<<4, 256, 0, c>>>(d, N);                                 // B
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(c);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
