// A graph inside a graph: its nodes come after what it depends on, what depends on it comes after all of them, and nothing
// orders them with what stands beside it.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d, *e, one = 1, n = N; cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES); keep(d), keep(e);
    cudaStream_t s = stream(), t = stream();
    cudaGraph_t inner, graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    order(s, t);
    add<<<4, 256, 0, s>>>(d, N);
    add<<<4, 256, 0, t>>>(e, N);                                 // A
    order(t, s);
    cudaStreamEndCapture(s, &inner);

    cudaGraphNode_t first, child, last, beside;
    cudaKernelNodeParams params = {};
    void *on_d[] = {&d, &n, &one}, *on_e[] = {&e, &n, &one};
    params.func = (void *)fill, params.kernelParams = on_d;
    params.gridDim = dim3(4), params.blockDim = dim3(256);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, NULL, 0, &params);
    cudaGraphAddChildGraphNode(&child, graph, &first, 1, inner);
    cudaGraphAddKernelNode(&last, graph, &child, 1, &params);
    params.kernelParams = on_e;
#ifdef RIGHT
    cudaGraphAddKernelNode(&beside, graph, &last, 1, &params);
#else
    cudaGraphAddKernelNode(&beside, graph, &first, 1, &params);  // B
#endif
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    fill<<<4, 256, 0, s>>>(e, N, 1);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaGraphDestroy(inner);
    return finish();
}
