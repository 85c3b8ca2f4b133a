// Programmatic edges of graphs: when the second kernel may begin, what it may read, and what waits for both.
// run: THREELANE_MODEL=h200
// out: ok dependent_graphs
#include "conformance.h"

enum { MS = 1000000, WIDTH = 256, LENGTH = 40 };

// Written so that others see it at once: when a kernel began and ended, and when its wait was over.
typedef struct Stamps {
    unsigned long long begin, end, past;
} Stamps;

__device__ static void pass(long long ns)
{
    unsigned long long begin = timer_ns();
    while ((long long)(timer_ns() - begin) < ns) {
    }
}
__global__ void primary(Stamps *s, int *done, bool triggers, int ms)
{
    atomicMax(&s->begin, timer_ns());
    if (triggers) cudaTriggerProgrammaticLaunchCompletion();
    pass((long long)ms * MS);
    *done = 1;
    atomicMax(&s->end, timer_ns());
}
__global__ void secondary(Stamps *s, const int *done, const int *done2, int *seen)
{
    atomicMax(&s->begin, timer_ns());
    cudaGridDependencySynchronize();
    *seen = *done + *done2;
    atomicMax(&s->past, timer_ns());
    atomicMax(&s->end, timer_ns());
}
__global__ void step(const int *from, int *to)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    to[threadIdx.x] = from[(threadIdx.x + 1) % WIDTH] + 1;
}

static cudaStream_t s;
static Stamps *stamps, at[3];
static int *done, *seen;

template <class... P, class... A> static void early(int threads, void (*kernel)(P...), A... a)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(threads);
    config.stream = s;
    config.attrs = &attribute;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, kernel, P(a)...));
}

// Launches it once, and destroys it; when its kernels ran, and what the last one saw.
static int run(cudaGraph_t graph)
{
    cudaGraphExec_t exec;
    int now = -1;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) { // a first launch may not overlap
        OK(cudaMemset(stamps, 0, 3 * sizeof *stamps));
        OK(cudaMemset(done, 0, 2 * sizeof *done));
        OK(cudaDeviceSynchronize());
        OK(cudaGraphLaunch(exec, s));
        OK(cudaStreamSynchronize(s));
    }
    OK(cudaMemcpy(at, stamps, sizeof at, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(&now, seen, sizeof now, cudaMemcpyDeviceToHost));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    return now;
}

static int captured(bool triggers)
{
    cudaGraph_t graph;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    primary<<<1, 1, 0, s>>>(stamps, done, triggers, 5);
    early(1, secondary, stamps + 2, done, done, seen);
    OK(cudaStreamEndCapture(s, &graph));
    return run(graph);
}

static cudaGraphNode_t add(cudaGraph_t graph, void *kernel, void **args)
{
    cudaKernelNodeParams params = {};
    cudaGraphNode_t node;
    params.func = kernel;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = args;
    OK(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
    return node;
}

// Two primaries, of 5 and of 10 ms, and a secondary behind both.
static int by_hand(bool triggers, int port, int second_port)
{
    cudaGraph_t graph;
    int ms[] = {5, 10}, *done2 = done + 1;
    Stamps *own[] = {stamps, stamps + 1, stamps + 2};
    void *first[] = {&own[0], &done, &triggers, &ms[0]}, *second[] = {&own[1], &done2, &triggers, &ms[1]},
         *third[] = {&own[2], &done, &done2, &seen};
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t from[] = {add(graph, (void *)primary, first), add(graph, (void *)primary, second)},
                    last = add(graph, (void *)secondary, third), to[] = {last, last};
    cudaGraphEdgeData data[2] = {};
    data[0].from_port = (unsigned char)port;
    data[1].from_port = (unsigned char)second_port;
    data[0].type = port ? cudaGraphDependencyTypeProgrammatic : cudaGraphDependencyTypeDefault;
    data[1].type = second_port ? cudaGraphDependencyTypeProgrammatic : cudaGraphDependencyTypeDefault;
    OK(cudaGraphAddDependencies(graph, from, to, data, 2));
    return run(graph);
}

int main()
{
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaMalloc(&stamps, 3 * sizeof *stamps));
    OK(cudaMalloc(&done, 2 * sizeof *done));
    OK(cudaMalloc(&seen, sizeof *seen));

    // A captured launch that may begin early does so in the graph, and reads what was written after it has waited.
    CHECK(captured(true) == 2);
    CHECK(at[2].begin + MS < at[0].end);
    CHECK(at[2].past >= at[0].end);
    CHECK(captured(false) == 2);
    CHECK(at[2].begin >= at[0].end);

    // So do edges that say so, of either port; what waits waits for all of them.
    enum { END = cudaGraphKernelNodePortDefault, TRIGGER = cudaGraphKernelNodePortProgrammatic,
           BEGUN = cudaGraphKernelNodePortLaunchCompletion };
    CHECK(by_hand(true, TRIGGER, TRIGGER) == 2);
    CHECK(at[2].begin + MS < at[0].end && at[2].past >= at[1].end);
    CHECK(by_hand(false, BEGUN, BEGUN) == 2);
    CHECK(at[2].begin + MS < at[0].end && at[2].past >= at[1].end);
    CHECK(by_hand(false, TRIGGER, BEGUN) == 2);
    CHECK(at[2].begin >= at[0].end && at[2].begin + MS < at[1].end && at[2].past >= at[1].end);
    CHECK(by_hand(true, END, TRIGGER) == 2);
    CHECK(at[2].begin >= at[0].end && at[2].begin + MS < at[1].end && at[2].past >= at[1].end);
    CHECK(by_hand(true, TRIGGER, END) == 2);
    CHECK(at[2].begin >= at[1].end);
    CHECK(by_hand(true, END, END) == 2);
    CHECK(at[2].begin >= at[1].end);

    // A chain of launches that may all begin early, and all wait.
    int *p[2], host[WIDTH];
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    for (int i = 0; i < 2; i++) OK(cudaMalloc(&p[i], sizeof host));
    for (int i = 0; i < WIDTH; i++) host[i] = i;
    OK(cudaMemcpy(p[0], host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < LENGTH; i++) early(WIDTH, step, p[i % 2], p[1 - i % 2]);
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) OK(cudaGraphLaunch(exec, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(host, p[0], sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < WIDTH; i++) CHECK(host[i] == (i + 3 * LENGTH) % WIDTH + 3 * LENGTH);

    return finish("dependent_graphs");
}
