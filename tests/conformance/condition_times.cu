// What a conditional node takes to decide, by the clock of the device: much more than what lies between two kernels of a
// graph, less than a launch from the host.
// run: THREELANE_MODEL=h200
// out: ok condition_times
#include "conformance.h"
#include <algorithm>

enum { ROUNDS = 4, TIMES = 9, MOST = 32 };
__device__ unsigned long long stamps[2 * MOST];
__device__ int n_stamps, rounds_left;

__global__ void begin(int rounds)
{
    n_stamps = 0;
    rounds_left = rounds;
}
__global__ void stamped(cudaGraphConditionalHandle handle, int decides)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    if (decides) cudaGraphSetConditional(handle, --rounds_left > 0);
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - begun < 20000);
    stamps[n_stamps++] = begun;
    stamps[n_stamps++] = now;
}

static cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle, int decides)
{
    void *arguments[] = {&handle, &decides};
    cudaKernelNodeParams params = {};
    cudaGraphNode_t node;
    params.func = (void *)stamped;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    OK(cudaGraphAddKernelNode(&node, graph, after ? &after : NULL, after ? 1 : 0, &params));
    return node;
}

// Two kernels, a condition that runs a kernel, or none, a kernel. gaps: between one kernel and the next, in us, the median
// of several launches. Returns how many there were.
static int launched(cudaGraphConditionalNodeType type, unsigned taken, double *gaps)
{
    static double all[MOST][TIMES];
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    cudaGraphNodeParams params = {};
    cudaGraphNode_t decided;
    int n = 0;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphConditionalHandleCreate(&handle, graph, taken, cudaGraphCondAssignDefault));
    cudaGraphNode_t node = add(graph, add(graph, NULL, handle, 0), handle, 0);
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
    OK(cudaGraphAddNode(&decided, graph, &node, NULL, 1, &params));
    add(params.conditional.phGraph_out[0], NULL, handle, type == cudaGraphCondTypeWhile);
    add(graph, decided, handle, 0);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int time = -1; time < TIMES; time++) {
        unsigned long long at[2 * MOST];
        begin<<<1, 1, 0, stream>>>(ROUNDS);
        OK(cudaGraphLaunch(exec, stream));
        OK(cudaStreamSynchronize(stream));
        OK(cudaMemcpyFromSymbol(&n, n_stamps, sizeof n));
        OK(cudaMemcpyFromSymbol(at, stamps, sizeof at));
        for (int i = 0; i + 1 < n / 2 && time >= 0; i++) all[i][time] = (double)(at[2 * i + 2] - at[2 * i + 1]) / 1e3;
    }
    n = n / 2 - 1;
    for (int i = 0; i < n; i++) {
        std::sort(all[i], all[i] + TIMES);
        gaps[i] = all[i][TIMES / 2];
    }
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaStreamDestroy(stream));
    return n;
}

int main()
{
    double gap[MOST];
    CHECK(launched(cudaGraphCondTypeIf, 1, gap) == 3);
    double plain = gap[0];
    printf("if: %.2f %.2f %.2f us\n", gap[0], gap[1], gap[2]);
    CHECK(plain < 1.6);
    CHECK(gap[1] - plain > 2.5 && gap[1] - plain < 5.5); // to decide
    CHECK(gap[2] - plain > 1.5 && gap[2] - plain < 4);   // and to go on
    CHECK(launched(cudaGraphCondTypeIf, 0, gap) == 2);
    printf("not: %.2f us\n", gap[1]);
    CHECK(gap[1] - plain > 2.2 && gap[1] - plain < 5.5);
    CHECK(launched(cudaGraphCondTypeWhile, 1, gap) == 2 + ROUNDS);
    printf("while: %.2f %.2f %.2f us\n", gap[1], gap[2], gap[1 + ROUNDS]);
    CHECK(gap[1] - plain > 2.5 && gap[1] - plain < 5.5);
    for (int i = 2; i < 1 + ROUNDS; i++) CHECK(gap[i] - plain > 2.2 && gap[i] - plain < 5); // each round
    CHECK(gap[1 + ROUNDS] - plain > 1.5 && gap[1 + ROUNDS] - plain < 4);
    return finish("condition_times");
}
