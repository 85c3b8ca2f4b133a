// A graph holds addresses, not memory: what was freed is gone at the next launch. (A kernel finds it gone when it runs.)
// hazard: use-after-free A 16
// err: a graph keeps the addresses that it was made with
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); cudaMemset(d, 0, BYTES); cudaDeviceSynchronize();
    cudaStream_t s = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<4, 256, 0, s>>>(d, N);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    cudaFree(d);                                                 // A
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    return 0;
}
