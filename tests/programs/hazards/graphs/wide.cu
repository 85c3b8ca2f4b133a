// A graph of many branches, over and over: each launch comes after the one before it, and no branch after another.
// out: 64 branches, 30 launches, right
#include "../hazards.h"
int main()
{
    enum { BRANCHES = 64, LAUNCHES = 30 };
    int *d, *h = (int *)malloc(BRANCHES * BYTES), wrong = 0;
    cudaMalloc(&d, BRANCHES * BYTES); keep(d, BRANCHES * BYTES);
    cudaStream_t s = stream(), branch[8];
    for (int i = 0; i < 8; i++) branch[i] = stream();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEvent_t forked = event(), joined = event();
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < BRANCHES; i++) {
        cudaEventRecord(forked, s);
        cudaStreamWaitEvent(branch[i % 8], forked, 0);
        add<<<4, 256, 0, branch[i % 8]>>>(d + i * N, N);
        add<<<4, 256, 0, branch[i % 8]>>>(d + i * N, N);
        cudaEventRecord(joined, branch[i % 8]);
        if (i >= BRANCHES - 8) cudaStreamWaitEvent(s, joined, 0);
    }
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < LAUNCHES; i++) cudaGraphLaunch(exec, s);
    cudaMemcpyAsync(h, d, BRANCHES * BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    for (int i = 0; i < BRANCHES * N; i++) wrong += h[i] != 2 * LAUNCHES;
    printf("%d branches, %d launches, %s\n", BRANCHES, LAUNCHES, wrong ? "wrong" : "right");
    free(h);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    return finish();
}
