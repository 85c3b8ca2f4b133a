// A body's kernels come after what the condition depends on and before what depends on it, in a condition of a condition as
// well; with what stands beside it nothing orders them.
// hazard: race A B
// right: -DRIGHT
#include "conditions.h"
static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t *after, int *p, int value)
{
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {};
    int n = N;
    void *args[] = {&p, &n, &value};
    params.func = (void *)fill, params.kernelParams = args;
    params.gridDim = dim3(4), params.blockDim = dim3(256);
    cudaGraphAddKernelNode(&node, graph, after, after != NULL, &params); // A
    return node;
}
int main()
{
    int *d, *e, *left; cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES), cudaMalloc(&left, BYTES); keep(d), keep(e), keep(left);
    cudaStream_t a = stream();
    cudaGraph_t graph;
    cudaGraphNode_t outer, inner;
    cudaGraphCreate(&graph, 0);
    cudaMemset(left, 0, BYTES), cudaMemset(left, 2, 1), cudaDeviceSynchronize();
    cudaGraphConditionalHandle handle = condition(graph, 1);
    cudaGraphNode_t before = kernel(graph, NULL, d, 1);
    cudaGraph_t body = conditional(&outer, graph, &before, handle, cudaGraphCondTypeWhile);
    cudaGraphNode_t first = kernel(body, NULL, d, 2);
    cudaGraph_t in_body = conditional(&inner, body, &first, condition(body, 1), cudaGraphCondTypeIf);
    kernel(in_body, NULL, d, 3);
    capture_into(in_body, a);
    add<<<4, 256, 0, a>>>(e, N);                                 // B
    again<<<1, 1, 0, a>>>(handle, left);
    cudaStreamEndCapture(a, &in_body);
    kernel(body, &inner, d, 5);
#ifdef RIGHT
    kernel(graph, &outer, e, 6);
#else
    kernel(graph, &before, e, 6);
#endif
    kernel(graph, &outer, d, 7);
    launch(graph, a, d);
    return finish();
}
