// The runs of a loop's body come one after the other; what races is what races within one of them, each time.
// hazard: race A B
// right: -DRIGHT
#include "conditions.h"
int main()
{
    int *d, *e, *left; cudaMalloc(&d, BYTES), cudaMalloc(&e, BYTES), cudaMalloc(&left, BYTES); keep(d), keep(e), keep(left);
    cudaStream_t a = stream(), b = stream();
    cudaGraph_t graph;
    cudaGraphNode_t node, first;
    cudaGraphCreate(&graph, 0);
    cudaMemsetParams three = {};
    three.dst = left, three.value = 3, three.elementSize = 4, three.width = 1, three.height = 1;
    cudaGraphAddMemsetNode(&first, graph, NULL, 0, &three);
    cudaGraphConditionalHandle handle = condition(graph, 1);
    cudaGraph_t body = conditional(&node, graph, &first, handle, cudaGraphCondTypeWhile);
    capture_into(body, a);
    order(a, b);
    again<<<1, 1, 0, a>>>(handle, left);
    move<<<4, 256, 0, a>>>(e, d, N);                             // A
#ifdef RIGHT
    order(a, b);
#endif
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    order(b, a);
    cudaStreamEndCapture(a, &body);
    launch(graph, a, e);
    return finish();
}
