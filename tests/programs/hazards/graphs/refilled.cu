// A captured copy reads its source at every launch, when its turn comes: the host refills the buffer too early.
// hazard: host-race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d, *h; cudaMalloc(&d, BYTES), cudaMallocHost(&h, BYTES); keep(d), keep_pinned(h);
    cudaStream_t s = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);     // A
    add<<<4, 256, 0, s>>>(d, N);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 3; i++) {
#ifdef RIGHT
        if (i) cudaStreamSynchronize(s);
#endif
        for (int k = 0; k < N; k++) h[k] = i;                    // B
        cudaGraphLaunch(exec, s);
    }
    cudaStreamSynchronize(s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
