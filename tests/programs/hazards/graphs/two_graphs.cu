// Two graphs in two streams are no more in order than two kernels would be; one graph in two streams is, since it runs once
// at a time.
// hazard: race B A
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec, other;
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
    add<<<4, 256, 0, a>>>(d, N);                                 // B
    cudaStreamEndCapture(a, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphInstantiate(&other, graph, 0);
    cudaGraphLaunch(exec, a);
#ifdef RIGHT
    cudaGraphLaunch(exec, b);
    cudaStreamSynchronize(b);
    cudaGraphLaunch(other, b);
#else
    cudaGraphLaunch(other, b);
    cudaStreamSynchronize(a);
#endif
    cudaStreamSynchronize(b);
    cudaGraphExecDestroy(exec);
    cudaGraphExecDestroy(other);
    cudaGraphDestroy(graph);
    return finish();
}
