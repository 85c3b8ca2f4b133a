// conditional PLAN [NUMBER [NS]] - graphs with conditional nodes: what decides, what it decides about, what comes after.
#include "compare.h"

static __device__ int left_to_do;

static __global__ void begins(long long ns, int rounds, cudaGraphConditionalHandle handle, unsigned value)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    left_to_do = rounds;
    cudaGraphSetConditional(handle, value);
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}

static __global__ void again(long long ns, cudaGraphConditionalHandle handle)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begun));
    left_to_do--;
    cudaGraphSetConditional(handle, left_to_do > 0);
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while ((long long)(now - begun) < ns);
}

// A kernel behind another node, or behind nothing.
static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after, void *function, void **arguments)
{
    cudaKernelNodeParams params = {};
    cudaGraphNode_t node;
    params.func = function;
    params.gridDim = dim3(1);
    params.blockDim = dim3(1);
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, after ? &after : NULL, after ? 1 : 0, &params));
    return node;
}

static cudaGraphNode_t condition(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle handle,
                                 cudaGraphConditionalNodeType type, cudaGraph_t *body)
{
    cudaGraphNodeParams params = {};
    cudaGraphNode_t node;
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = 1;
#if CUDART_VERSION >= 13000
    CHECK(cudaGraphAddNode(&node, graph, &after, NULL, 1, &params));
#else
    CHECK(cudaGraphAddNode(&node, graph, &after, 1, &params));
#endif
    *body = params.conditional.phGraph_out[0];
    return node;
}

int main(int argc, char **argv)
{
    const char *plan = argc > 1 ? argv[1] : "if";
    int number = argc > 2 ? atoi(argv[2]) : 10;
    long long ns = argc > 3 ? atoll(argv[3]) : 10000;
    bool loop = !strcmp(plan, "while");
    int ifs = loop ? 1 : number, bodies = !strcmp(plan, "long") ? 3 : 1;
    unsigned value = strcmp(plan, "not") != 0;
    void *spins[] = {&ns};

    cudaStream_t stream;
    cudaGraph_t graph, body;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t last = NULL;
    for (int i = 0; i < ifs; i++) {
        cudaGraphConditionalHandle handle;
        CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
        void *first[] = {&ns, &number, &handle, &value}, *loops[] = {&ns, &handle};
        last = kernel(graph, last, (void *)begins, first);
        last = condition(graph, last, handle, loop ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf, &body);
        cudaGraphNode_t in = kernel(body, NULL, loop ? (void *)again : (void *)spin, loop ? loops : spins);
        for (int k = 1; k < bodies; k++) in = kernel(body, in, (void *)spin, spins);
        last = kernel(graph, last, (void *)spin, spins);
    }
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    measure([&] {
        for (int i = 0; i < 5; i++) CHECK(cudaGraphLaunch(exec, stream));
    });
    return 0;
}
