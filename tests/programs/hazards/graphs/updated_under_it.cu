// A running graph reads what another stream writes anew: an update of the graph is safe, one of the memory is not.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d, *weights, value = 2, n = N;
    cudaMalloc(&d, BYTES), cudaMalloc(&weights, BYTES); keep(d), keep(weights);
    cudaStream_t s = stream(), other = stream();
    cudaGraph_t graph;
    cudaGraphNode_t root;
    size_t n_roots = 1;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    fill<<<4, 256, 0, s>>>(d, N, 1);
    move<<<4, 256, 0, s>>>(d, weights, N);                       // A
    cudaStreamEndCapture(s, &graph);
    cudaGraphGetRootNodes(graph, &root, &n_roots);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    void *args[] = {&d, &n, &value};
    cudaKernelNodeParams params = {};
    params.func = (void *)fill, params.kernelParams = args;
    params.gridDim = dim3(4), params.blockDim = dim3(256);
    cudaGraphExecKernelNodeSetParams(exec, root, &params);       // (of launches to come)
#ifdef RIGHT
    order(s, other);
#endif
    fill<<<4, 256, 0, other>>>(weights, N, 3);                   // B
    order(other, s);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
