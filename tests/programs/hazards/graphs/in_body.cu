// Two branches inside the body of a condition touch the same memory, and no edge of it is between them.
// hazard: race A B
// err: they are nodes of one graph, and no edge of it leads from
// right: -DRIGHT
#include "conditions.h"
int main()
{
    int *d, *e; cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES); keep(d), keep(e);
    cudaStream_t a = stream(), b = stream();
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphCreate(&graph, 0);
    cudaGraph_t body = conditional(&node, graph, NULL, condition(graph, 1), cudaGraphCondTypeIf);
    capture_into(body, a);
    fill<<<4, 256, 0, a>>>(e, N, 0);
    order(a, b);
    fill<<<4, 256, 0, a>>>(d, N, 1);                             // A
#ifdef RIGHT
    order(a, b);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    order(b, a);
    add<<<4, 256, 0, a>>>(d, N);
    cudaStreamEndCapture(a, &body);
    launch(graph, a, d);
    return finish();
}
