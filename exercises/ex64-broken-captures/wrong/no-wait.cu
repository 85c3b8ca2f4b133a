// caught-by: hazards, on a card: nothing
// nothing makes the launches of awaited() wait for the scaling of y
#include "ex64.h"

/* Launches the graph REPLAYS times, waits, and takes everything down. */
static void replay(cudaGraph_t graph, cudaStream_t stream)
{
    cudaGraphExec_t exec = NULL;
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < REPLAYS; i++) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

void scratch(float *x)
{
    float *y = NULL;
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);

    cudaMalloc(&y, COUNT * sizeof *y);               /* no step of the graph: before it */

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(y, x, COUNT * sizeof *y, cudaMemcpyDeviceToDevice, stream);
    scale<<<BLOCKS, THREADS, 0, stream>>>(y, 2.0f);
    add<<<BLOCKS, THREADS, 0, stream>>>(x, y);
    cudaStreamEndCapture(stream, &graph);

    replay(graph, stream);
    cudaFree(y);
    cudaStreamDestroy(stream);
}

void library(float *x)
{
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);

    lib_debug(0);                                    /* who asks a stream while it captures breaks the capture */
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    shift<<<BLOCKS, THREADS, 0, stream>>>(x, 1.0f);
    lib_step(x, stream);
    shift<<<BLOCKS, THREADS, 0, stream>>>(x, 1.0f);
    cudaStreamEndCapture(stream, &graph);

    replay(graph, stream);
    cudaStreamDestroy(stream);
}

void forked(float *x, float *y)
{
    cudaStream_t stream, side;
    cudaEvent_t fork, join;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&side);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(side, fork, 0);
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, 0.5f);
    shift<<<BLOCKS, THREADS, 0, side>>>(y, 1.0f);
    cudaEventRecord(join, side);
    cudaStreamWaitEvent(stream, join, 0);            /* what went out comes back */
    cudaStreamEndCapture(stream, &graph);

    replay(graph, stream);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(side);
    cudaStreamDestroy(stream);
}

void awaited(float *x, float *y)
{
    cudaStream_t stream, other;
    cudaEvent_t scaled;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaEventCreateWithFlags(&scaled, cudaEventDisableTiming);

    scale<<<BLOCKS, THREADS, 0, other>>>(y, 3.0f);
    cudaEventRecord(scaled, other);

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<BLOCKS, THREADS, 0, stream>>>(x, y);
    cudaStreamEndCapture(stream, &graph);

    replay(graph, stream);
    cudaEventDestroy(scaled);
    cudaStreamDestroy(other);
    cudaStreamDestroy(stream);
}

void plain(float *x)
{
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, 0.5f);
    shift<<<BLOCKS, THREADS, 0, stream>>>(x, 1.0f);
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, 2.0f);
    cudaStreamEndCapture(stream, &graph);

    replay(graph, stream);
    cudaStreamDestroy(stream);
}

float measured(float *x)
{
    float ms = 0.0f;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    shift<<<BLOCKS, THREADS, 0, stream>>>(x, 1.0f);
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, 0.5f);
    cudaStreamEndCapture(stream, &graph);

    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaEventRecord(begin, stream);                  /* around the launches: these can be measured */
    for (int i = 0; i < REPLAYS; i++) cudaGraphLaunch(exec, stream);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
    return ms;
}

/* Two scalings, in a stream that may be capturing: whoever captures also launches. */
static void quarter(float *x, cudaStream_t stream)
{
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, 0.5f);
    scale<<<BLOCKS, THREADS, 0, stream>>>(x, 0.5f);
}

void nested(float *x)
{
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    cudaStreamCreate(&stream);

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    shift<<<BLOCKS, THREADS, 0, stream>>>(x, 1.0f);
    quarter(x, stream);
    shift<<<BLOCKS, THREADS, 0, stream>>>(x, 1.0f);
    cudaStreamEndCapture(stream, &graph);

    replay(graph, stream);
    cudaStreamDestroy(stream);
}
