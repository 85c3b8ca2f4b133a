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

static void edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, bool programmatic, int port)
{
    cudaGraphEdgeData data = {};
    data.type = programmatic ? cudaGraphDependencyTypeProgrammatic : cudaGraphDependencyTypeDefault;
    data.from_port = (unsigned char)port;
    OK(cudaGraphAddDependencies(graph, &from, &to, &data, 1));
}

static int ms[] = {5, 10};
static bool yes = true, no = false;

// A primary of 5 ms, and a secondary behind it.
static int by_hand(bool triggers, bool programmatic, int port, int *reads)
{
    cudaGraph_t graph;
    Stamps *last = stamps + 2;
    void *first[] = {&stamps, &done, &triggers, &ms[0]}, *second[] = {&last, &reads, &reads, &seen};
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t from = add(graph, (void *)primary, first);
    edge(graph, from, add(graph, (void *)secondary, second), programmatic, port);
    return run(graph);
}

// Two primaries, of 5 and of 10 ms, and a secondary behind both.
static int behind_two(int port, int second_port)
{
    cudaGraph_t graph;
    int *done2 = done + 1;
    Stamps *own[] = {stamps, stamps + 1, stamps + 2};
    void *first[] = {&own[0], &done, &yes, &ms[0]}, *second[] = {&own[1], &done2, &yes, &ms[1]},
         *third[] = {&own[2], &done, &done2, &seen};
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t a = add(graph, (void *)primary, first), b = add(graph, (void *)primary, second),
                    last = add(graph, (void *)secondary, third);
    edge(graph, a, last, port != 0, port);
    edge(graph, b, last, second_port != 0, second_port);
    return run(graph);
}

// A primary of 5 ms, an early kernel that does not wait for it, and a secondary behind that.
static void behind_early(bool programmatic)
{
    cudaGraph_t graph;
    int one = 1, *done2 = done + 1;
    Stamps *own[] = {stamps, stamps + 1, stamps + 2};
    void *first[] = {&own[0], &done, &yes, &ms[0]}, *second[] = {&own[1], &done2, &yes, &one},
         *third[] = {&own[2], &done2, &done2, &seen};
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t a = add(graph, (void *)primary, first), b = add(graph, (void *)primary, second),
                    last = add(graph, (void *)secondary, third);
    edge(graph, a, b, true, cudaGraphKernelNodePortProgrammatic);
    edge(graph, b, last, programmatic, programmatic ? cudaGraphKernelNodePortProgrammatic : 0);
    run(graph);
}

int main()
{
    warm_up();
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaMalloc(&stamps, 3 * sizeof *stamps));
    OK(cudaMalloc(&done, 2 * sizeof *done));
    OK(cudaMalloc(&seen, sizeof *seen));
    enum { END = cudaGraphKernelNodePortDefault, TRIGGER = cudaGraphKernelNodePortProgrammatic,
           BEGUN = cudaGraphKernelNodePortLaunchCompletion };

    // A captured launch that may begin early does so in the graph, and reads what was written after it has waited.
    CHECK(captured(true) == 2);
    CHECK(at[2].begin + MS < at[0].end);
    CHECK(at[2].past >= at[0].end);
    CHECK(captured(false) == 2);
    CHECK(at[2].begin >= at[0].end);

    // So does one behind an edge that says so: behind the trigger, or behind the begin of all blocks.
    CHECK(by_hand(true, true, TRIGGER, done) == 2);
    CHECK(at[2].begin + MS < at[0].end && at[2].past >= at[0].end);
    CHECK(by_hand(false, true, TRIGGER, done) == 2);
    CHECK(at[2].begin >= at[0].end);
    CHECK(by_hand(false, true, BEGUN, done) == 2);
    CHECK(at[2].begin + MS < at[0].end && at[2].past >= at[0].end);
    CHECK(by_hand(true, false, END, done) == 2);
    CHECK(at[2].begin >= at[0].end);

    // An edge from that port that is not programmatic gives nothing to wait for.
    by_hand(false, false, BEGUN, done + 1);
    CHECK(at[2].begin + MS < at[0].end && at[2].past + MS < at[0].end);

    // What waits waits for all of them. (Behind two that run beside each other it begins when both have ended.)
    CHECK(behind_two(TRIGGER, TRIGGER) == 2);
    CHECK(at[2].past >= at[0].end && at[2].past >= at[1].end);
    CHECK(behind_two(BEGUN, TRIGGER) == 2);
    CHECK(at[2].past >= at[0].end && at[2].past >= at[1].end);
    CHECK(behind_two(END, TRIGGER) == 2);
    CHECK(at[2].begin >= at[0].end && at[2].past >= at[1].end);
    CHECK(behind_two(TRIGGER, END) == 2);
    CHECK(at[2].begin >= at[1].end && at[2].past >= at[0].end);

    // A kernel that began early is complete when the one before it is.
    behind_early(false);
    CHECK(at[1].end + MS < at[0].end && at[2].begin >= at[0].end);
    behind_early(true);
    CHECK(at[2].begin + MS < at[0].end && at[2].past >= at[0].end);

    // Which edges there may be.
    cudaGraph_t codes;
    void *args[] = {&stamps, &done, &no, &ms[0]};
    OK(cudaGraphCreate(&codes, 0));
    cudaGraphNode_t kernel = add(codes, (void *)primary, args), other = add(codes, (void *)primary, args), empty;
    OK(cudaGraphAddEmptyNode(&empty, codes, NULL, 0));
    for (int type = 0; type < 3; type++)
        for (int port = 0; port < 4; port++)
            for (int to_port = 0; to_port < 2; to_port++) {
                bool may = !to_port && (type ? type == 1 && (port == TRIGGER || port == BEGUN) : port == END || port == BEGUN);
                cudaGraphEdgeData data = {};
                data.type = (unsigned char)type;
                data.from_port = (unsigned char)port;
                data.to_port = (unsigned char)to_port;
                IS(may ? 0 : 1, cudaGraphAddDependencies(codes, &kernel, &other, &data, 1));
                if (may) IS(1, cudaGraphAddDependencies(codes, &kernel, &other, NULL, 1));
                if (may) OK(cudaGraphRemoveDependencies(codes, &kernel, &other, &data, 1));
                may = may && !type;
                IS(may ? 0 : 1, cudaGraphAddDependencies(codes, &kernel, &empty, &data, 1));
                if (may) OK(cudaGraphRemoveDependencies(codes, &kernel, &empty, &data, 1));
                may = may && port == END;
                IS(may ? 0 : 1, cudaGraphAddDependencies(codes, &empty, &other, &data, 1));
                if (may) OK(cudaGraphRemoveDependencies(codes, &empty, &other, &data, 1));
                cudaGetLastError();
            }
    OK(cudaGraphDestroy(codes));

    // A launch may begin early behind several kernels, and behind nothing else; and an edge is part of a graph's shape.
    cudaGraph_t shape[2];
    cudaGraphExec_t shaped;
    cudaGraphExecUpdateResultInfo result = {};
    cudaGraphNode_t from[4], to[4];
    cudaGraphEdgeData data[4];
    cudaStream_t side;
    cudaEvent_t fork, join;
    size_t n = 4;
    OK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    for (int i = 0; i < 2; i++) {
        OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        OK(cudaMemsetAsync(done, 0, sizeof *done, s));
        if (i) early(1, primary, stamps, done, true, 0);
        else primary<<<1, 1, 0, s>>>(stamps, done, true, 0);
        OK(cudaEventRecord(fork, s));
        OK(cudaStreamWaitEvent(side, fork, 0));
        primary<<<1, 1, 0, side>>>(stamps + 1, done + 1, true, 0);
        OK(cudaEventRecord(join, side));
        OK(cudaStreamWaitEvent(s, join, 0));
        if (i) early(1, secondary, stamps + 2, done, done + 1, seen);
        else secondary<<<1, 1, 0, s>>>(stamps + 2, done, done + 1, seen);
        OK(cudaStreamEndCapture(s, &shape[i]));
    }
    OK(cudaGraphGetEdges(shape[1], from, to, data, &n));
    CHECK(n == 4);
    for (size_t i = 0, programmatic = 0; i < n; i++) {
        cudaGraphNodeType type;
        programmatic += data[i].type == cudaGraphDependencyTypeProgrammatic && data[i].from_port == TRIGGER;
        OK(cudaGraphNodeGetType(from[i], &type));
        if (type != cudaGraphNodeTypeKernel) CHECK(data[i].type == cudaGraphDependencyTypeDefault);
        if (i == n - 1) CHECK(programmatic == 2);
    }
    OK(cudaGraphInstantiate(&shaped, shape[1], 0));
    IS(910, cudaGraphExecUpdate(shaped, shape[0], &result));
    CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();
    OK(cudaGraphExecDestroy(shaped));
    for (int i = 0; i < 2; i++) OK(cudaGraphDestroy(shape[i]));
    OK(cudaStreamDestroy(side));
    OK(cudaEventDestroy(fork));
    OK(cudaEventDestroy(join));

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
