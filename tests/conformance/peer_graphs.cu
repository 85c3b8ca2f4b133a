// A graph that spans devices: nodes on both, by hand and by capture; which copies and sets a capture takes, with access and
// without: as on H200s (CUDA 13.0).
// run: THREELANE_MODEL=h200+devices=2
// err: cudaMemcpyPeerAsync: a graph has no node for it
// out: ok peer_graphs
#include "conformance.h"

__device__ int counted;
__global__ void add(int *p, int by) { *p += by; }
__global__ void count() { counted++; }

static int *d[2];
static cudaStream_t s[2];
static cudaEvent_t e[2];

static int value_of(const int *p)
{
    int value = -1;
    OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault));
    return value;
}

/* A kernel on each device, a copy between them, a set; each behind the one before. Which device a kernel's node is of is
 * what is current when it is added. */
static void by_hand()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t kernel[2], copy, set;
    int by = 11, before[2] = {value_of(d[0]), value_of(d[1])};
    void *arguments[2] = {&d[0], &by};
    cudaKernelNodeParams k = {};
    cudaMemsetParams m = {};
    k.func = (void *)add;
    k.gridDim = k.blockDim = dim3(1);
    k.kernelParams = arguments;
    m.dst = d[1] + 2;
    m.elementSize = 4;
    m.width = m.height = 1;
    m.value = 77;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddKernelNode(&kernel[0], graph, NULL, 0, &k));
    OK(cudaSetDevice(1));
    arguments[0] = &d[1];
    OK(cudaGraphAddKernelNode(&kernel[1], graph, &kernel[0], 1, &k));
    OK(cudaSetDevice(0));
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel[1], 1, d[1] + 1, d[0], 4, cudaMemcpyDefault));
    OK(cudaGraphAddMemsetNode(&set, graph, &copy, 1, &m)); /* the other device's memory, without access */
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    CHECK(value_of(d[0]) == before[0] + 11 && value_of(d[1]) == before[1] + 11);
    CHECK(value_of(d[1] + 1) == value_of(d[0]) && value_of(d[1] + 2) == 77);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

static void fork()
{
    OK(cudaEventRecord(e[0], s[0]));
    OK(cudaStreamWaitEvent(s[1], e[0], 0));
}
static void join()
{
    OK(cudaEventRecord(e[1], s[1]));
    OK(cudaStreamWaitEvent(s[0], e[1], 0));
}

/* The calls that name devices are no part of a graph, with access or without. */
static void calls_for_peers()
{
    cudaGraph_t graph = NULL;
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s[0]>>>(d[0], 5);
    OK(cudaGetLastError());
    fork();
    IS(900, cudaMemcpyPeerAsync(d[1], 1, d[0], 0, 4, s[1]));
    add<<<1, 1, 0, s[1]>>>(d[1], 7);
    IS(901, cudaGetLastError());
    IS(901, cudaEventRecord(e[1], s[1]));
    IS(901, cudaStreamEndCapture(s[0], &graph));
    CHECK(graph == NULL);
    cudaGetLastError();

    cudaMemcpy3DPeerParms box = {};
    box.srcDevice = 0;
    box.dstDevice = 1;
    box.srcPtr = make_cudaPitchedPtr(d[0], 64, 64, 4);
    box.dstPtr = make_cudaPitchedPtr(d[1], 64, 64, 4);
    box.extent = make_cudaExtent(4, 1, 1);
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeRelaxed));
    IS(900, cudaMemcpy3DPeerAsync(&box, s[0]));
    IS(901, cudaStreamEndCapture(s[0], &graph));
    cudaGetLastError();

    int there = value_of(d[0]); /* one that waits happens at once, and one of nothing is nothing */
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    OK(cudaMemcpyPeer(d[1] + 2, 1, d[0], 0, 4));
    OK(cudaMemcpyPeerAsync(d[1], 1, d[0], 0, 0, s[0]));
    IS(101, cudaMemcpyPeerAsync(d[1], 9, d[0], 0, 4, s[0]));
    OK(cudaStreamEndCapture(s[0], &graph));
    OK(cudaGraphDestroy(graph));
    CHECK(value_of(d[1] + 2) == there);
}

/* A copy by its pointers is a node; a set of the other device's memory is one as well, and needs access. */
static void by_pointers(bool access)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    int there = value_of(d[0]);
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    OK(cudaMemcpyAsync(d[1] + 3, d[0], 4, cudaMemcpyDeviceToDevice, s[0]));
    fork();
    OK(cudaMemcpyAsync(d[1] + 4, d[0], 4, cudaMemcpyDefault, s[1]));
    join();
    OK(cudaStreamEndCapture(s[0], &graph));
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(nodes == 2);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    CHECK(value_of(d[1] + 3) == there && value_of(d[1] + 4) == there);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));

    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(d[1] + 5, 0, 4, s[0]));
    OK(cudaStreamEndCapture(s[0], &graph));
    cudaGraphInstantiateParams how = {};
    IS(access ? 0 : 1, cudaGraphInstantiateWithParams(&exec, graph, &how));
    CHECK(how.result_out == (access ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError));
    if (access) OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    cudaGetLastError();
}

static void captured()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    int before[2] = {value_of(d[0]), value_of(d[1])}, found[2];
    OK(cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, s[0]>>>(d[0], 5);
    fork();
    OK(cudaMemcpyAsync(d[1] + 1, d[0], 4, cudaMemcpyDefault, s[1]));
    OK(cudaSetDevice(1));
    add<<<1, 1, 0, s[1]>>>(d[1], 7);
    count<<<1, 1, 0, s[1]>>>();
    OK(cudaGetLastError());
    OK(cudaSetDevice(0));
    join();
    add<<<1, 1, 0, s[0]>>>(d[1], 1); /* through its access */
    OK(cudaStreamEndCapture(s[0], &graph));
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(nodes == 5);
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphLaunch(exec, s[0]));
    OK(cudaStreamSynchronize(s[0]));
    CHECK(value_of(d[0]) == before[0] + 5 && value_of(d[1]) == before[1] + 8);
    CHECK(value_of(d[1] + 1) == before[0] + 5);
    OK(cudaGraphLaunch(exec, s[1])); /* in a stream of either device */
    OK(cudaStreamSynchronize(s[1]));
    CHECK(value_of(d[0]) == before[0] + 10 && value_of(d[1]) == before[1] + 16);
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMemcpyFromSymbol(&found[i], counted, sizeof found[i]));
    }
    CHECK(found[0] == 0 && found[1] == 2);
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
}

int main()
{
    needs_devices(2, "peer_graphs");
    for (int i = 1; i >= 0; i--) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&d[i], 64));
        OK(cudaMemset(d[i], 0, 64));
        OK(cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking));
        OK(cudaEventCreateWithFlags(&e[i], cudaEventDisableTiming));
        OK(cudaDeviceSynchronize());
        add<<<1, 1, 0, s[i]>>>(d[i], 1);
        OK(cudaDeviceSynchronize());
    }
    by_hand();
    calls_for_peers();
    by_pointers(false);
    for (int i = 1; i >= 0; i--) {
        OK(cudaSetDevice(i));
        OK(cudaDeviceEnablePeerAccess(1 - i, 0));
    }
    calls_for_peers();
    by_pointers(true);
    captured();
    return finish("peer_graphs");
}
