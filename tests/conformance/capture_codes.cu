// What calls return while streams are captured, and what becomes of the capture (call by call: capture_calls.cu).
// out: ok capture_codes
#include "conformance.h"
#include <pthread.h>

__global__ void add(int *p, int n) { *p += n; }

static cudaStream_t s, t, free_stream;
static cudaEvent_t e, f;
static int *d, h;
static cudaGraph_t graph;
static cudaStreamCaptureStatus status;

static void begin(void) { OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)); }

/* The capture is spoilt: it ends with 901, and gives no graph. */
static void is_spoilt(int line)
{
    graph = (cudaGraph_t)1;
    check_at(cudaStreamIsCapturing(s, &status) == cudaSuccess &&
                 status == cudaStreamCaptureStatusInvalidated, line, "the capture is invalidated");
    is_at(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph), line, "EndCapture");
    check_at(graph == NULL, line, "no graph");
    check_at(cudaStreamIsCapturing(s, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone, line,
             "the capture is over");
    cudaGetLastError();
}
#define SPOILS(ERROR, CALL) (begin(), IS(ERROR, CALL), is_spoilt(__LINE__))

static int nodes_of(cudaGraph_t g)
{
    size_t n = 99;
    OK(cudaGraphGetNodes(g, NULL, &n));
    return (int)n;
}

static void the_rules(void)
{
    IS(900, cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    IS(900, cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
    IS(401, cudaStreamEndCapture(s, &graph));
    begin();
    IS(401, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(nodes_of(graph) == 0);
    OK(cudaGraphDestroy(graph));

    SPOILS(900, cudaStreamSynchronize(s));
    SPOILS(900, cudaStreamQuery(s));
    int *none;
    SPOILS(900, cudaMalloc((void **)&none, 4));
    SPOILS(900, cudaDeviceSynchronize());
    SPOILS(906, cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice));
    begin();
    add<<<1, 1>>>(d, 1);
    IS(906, cudaGetLastError());
    is_spoilt(__LINE__);

    /* an event of the capture stands for nodes */
    begin();
    add<<<1, 1, 0, s>>>(d, 1);
    OK(cudaEventRecord(e, s));
    IS(907, cudaEventQuery(e));
    is_spoilt(__LINE__);

    /* a wait for work outside */
    OK(cudaEventRecord(f, t));
    SPOILS(905, cudaStreamWaitEvent(s, f, 0));
}

static void forks(void)
{
    /* joined: one graph, with the edges of the events */
    OK(cudaMemset(d, 0, 4));
    begin();
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    OK(cudaStreamIsCapturing(t, &status));
    CHECK(status == cudaStreamCaptureStatusActive);
    OK(cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice, t));
    add<<<1, 1, 0, t>>>(d, 5);
    OK(cudaEventRecord(f, t));
    OK(cudaStreamWaitEvent(s, f, 0));
    add<<<1, 1, 0, s>>>(d, 7);
    IS(903, cudaStreamEndCapture(t, &graph));
    is_spoilt(__LINE__);

    begin();
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    add<<<1, 1, 0, t>>>(d, 5);
    add<<<1, 1, 0, s>>>(d, 7);
    IS(904, cudaStreamEndCapture(s, &graph));
    CHECK(graph == NULL);
    OK(cudaStreamIsCapturing(t, &status));
    CHECK(status == cudaStreamCaptureStatusNone);

    /* work that was forked off an event before the last node is unjoined, too; a fork that did nothing is not */
    begin();
    OK(cudaEventRecord(e, s));
    OK(cudaStreamWaitEvent(t, e, 0));
    add<<<1, 1, 0, s>>>(d, 7);
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(nodes_of(graph) == 1);
    OK(cudaGraphDestroy(graph));

    /* a stream that was forked off can go, and events can, before the capture ends */
    cudaStream_t gone;
    cudaEvent_t first, last;
    OK(cudaStreamCreateWithFlags(&gone, cudaStreamNonBlocking));
    OK(cudaEventCreate(&first));
    OK(cudaEventCreate(&last));
    begin();
    OK(cudaEventRecord(first, s));
    OK(cudaStreamWaitEvent(gone, first, 0));
    add<<<1, 1, 0, gone>>>(d, 5);
    OK(cudaEventRecord(last, gone));
    OK(cudaStreamWaitEvent(s, last, 0));
    OK(cudaStreamDestroy(gone));
    OK(cudaEventDestroy(first));
    OK(cudaEventDestroy(last));
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(nodes_of(graph) == 1);
    OK(cudaGraphDestroy(graph));

    /* two captures cannot become one */
    begin();
    OK(cudaStreamBeginCapture(t, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(e, s));
    IS(902, cudaStreamWaitEvent(t, e, 0));
    is_spoilt(__LINE__);
    IS(901, cudaStreamEndCapture(t, &graph));
}

static void what_is_captured(void)
{
    cudaGraphExec_t exec;
    int to = -1, arg = 3, *pinned;
    OK(cudaMallocHost((void **)&pinned, 4));
    *pinned = 10;
    OK(cudaMemset(d, 0, 4));
    begin();
    OK(cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, s));
    add<<<1, 1, 0, s>>>(d, arg);
    OK(cudaMemcpyAsync(&to, d, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(nodes_of(graph) == 3);
    arg = 1000;                                 /* captured by value */
    *pinned = 20;                               /* read when it runs */
    CHECK(to == -1);                            /* nothing has run */
    OK(cudaGraphInstantiate(&exec, graph, 0));
    OK(cudaGraphDestroy(graph));                /* the executable graph has its own */
    OK(cudaGraphLaunch(exec, t));
    OK(cudaStreamSynchronize(t));
    CHECK(to == 23);
    OK(cudaGraphLaunch(exec, s));
    OK(cudaGraphLaunch(exec, t));
    OK(cudaGraphExecDestroy(exec));             /* it still runs to its end */
    OK(cudaDeviceSynchronize());
    CHECK(to == 23);
    OK(cudaFreeHost(pinned));
}

static void asking(void)
{
    unsigned long long id = 0, other = 0;
    cudaGraph_t g = NULL;
    const cudaGraphNode_t *after = NULL;
    size_t n = 99;
    OK(cudaStreamGetCaptureInfo(s, &status, &id, &g, &after, NULL, &n));
    CHECK(status == cudaStreamCaptureStatusNone);
    IS(1, cudaStreamGetCaptureInfo(s, NULL, &id, &g, &after, NULL, &n));
    begin();
    IS(906, cudaStreamIsCapturing(0, &status)); /* which does not spoil it */
    OK(cudaStreamGetCaptureInfo(s, &status, &id, &g, &after, NULL, &n));
    CHECK(status == cudaStreamCaptureStatusActive && id && g && n == 0);
    add<<<1, 1, 0, s>>>(d, 1);
    OK(cudaStreamGetCaptureInfo(s, &status, &other, &g, &after, NULL, &n));
    CHECK(other == id && n == 1);
    cudaGraphNode_t first = after[0], empty;
    OK(cudaGraphAddEmptyNode(&empty, g, NULL, 0));
    OK(cudaStreamUpdateCaptureDependencies(s, &empty, NULL, 1, cudaStreamAddCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &after, NULL, &n));
    CHECK(n == 2);
    OK(cudaStreamUpdateCaptureDependencies(s, &first, NULL, 1, cudaStreamSetCaptureDependencies));
    OK(cudaStreamGetCaptureInfo(s, &status, NULL, NULL, &after, NULL, &n));
    CHECK(n == 1 && after[0] == first);
    OK(cudaStreamEndCapture(s, &graph));
    CHECK(graph == g && nodes_of(graph) == 2);
    OK(cudaGraphDestroy(graph));
    IS(401, cudaStreamUpdateCaptureDependencies(s, &first, NULL, 0, 0));
}

/* ---- modes ---- */

static cudaError_t got[4];

static void *another(void *mode)
{
    cudaStreamCaptureMode m = *(cudaStreamCaptureMode *)mode;
    int *p = NULL;
    cudaThreadExchangeStreamCaptureMode(&m);
    got[0] = cudaMalloc((void **)&p, 4);
    if (!got[0]) cudaFree(p);
    got[1] = cudaStreamIsCapturing(s, &status);
    return NULL;
}

static cudaError_t in_another_thread(cudaStreamCaptureMode mode)
{
    pthread_t thread;
    pthread_create(&thread, NULL, another, &mode);
    pthread_join(thread, NULL);
    return got[0];
}

static void *ends(void *)
{
    cudaGraph_t g;
    got[2] = cudaStreamEndCapture(s, &g);
    return NULL;
}

static void modes(void)
{
    static const struct {
        cudaStreamCaptureMode capture, thread;
        int code;
    } cases[] = {{cudaStreamCaptureModeGlobal, cudaStreamCaptureModeGlobal, 900},
                 {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, 0},
                 {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeRelaxed, 0},
                 {cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeGlobal, 0},
                 {cudaStreamCaptureModeRelaxed, cudaStreamCaptureModeGlobal, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OK(cudaStreamBeginCapture(s, cases[i].capture));
        IS(cases[i].code, in_another_thread(cases[i].thread));
        IS(cases[i].code ? 901 : 0, cudaStreamEndCapture(s, &graph));
        if (!cases[i].code) OK(cudaGraphDestroy(graph));
    }

    int *p;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    OK(cudaMalloc((void **)&p, 4));
    OK(cudaFree(p));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphDestroy(graph));

    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == cudaStreamCaptureModeGlobal);
    begin();
    OK(cudaMalloc((void **)&p, 4));
    OK(cudaFree(p));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphDestroy(graph));
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == cudaStreamCaptureModeRelaxed);
    IS(1, cudaStreamBeginCapture(s, (cudaStreamCaptureMode)7));

    /* only the thread that began it ends it, unless it is relaxed */
    pthread_t thread;
    begin();
    pthread_create(&thread, NULL, ends, NULL);
    pthread_join(thread, NULL);
    IS(908, got[2]);
    IS(401, cudaStreamEndCapture(s, &graph)); /* it is over all the same */
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    pthread_create(&thread, NULL, ends, NULL);
    pthread_join(thread, NULL);
    IS(0, got[2]);
}

/* A stream that does not synchronize with the default one leaves that alone. */
static void beside_the_default_stream(void)
{
    cudaGetLastError();
    OK(cudaStreamBeginCapture(free_stream, cudaStreamCaptureModeRelaxed));
    add<<<1, 1>>>(d, 1);
    IS(0, cudaGetLastError());
    OK(cudaStreamIsCapturing(0, &status));
    OK(cudaStreamEndCapture(free_stream, &graph));
    OK(cudaGraphDestroy(graph));
    OK(cudaDeviceSynchronize());
}

int main()
{
    OK(cudaStreamCreate(&s));
    OK(cudaStreamCreate(&t));
    OK(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&f));
    OK(cudaMalloc((void **)&d, 4));
    the_rules();
    forks();
    what_is_captured();
    asking();
    modes();
    beside_the_default_stream();
    return finish("capture_codes");
}
