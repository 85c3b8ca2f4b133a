// caught-by: paid, on a card: nothing
// the host waits for each replay before it makes the next
#include "ex56.h"

/* One iteration as a graph. Capturing executes nothing: it writes down. */
static cudaGraph_t capture(float *x, float *left, float *right, float rate, cudaStream_t main, cudaStream_t side,
                           cudaEvent_t forked, cudaEvent_t joined)
{
    cudaGraph_t graph;
    cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal);
    K1<<<BLOCKS, THREADS, 0, main>>>(x, rate);
    cudaEventRecord(forked, main);
    cudaStreamWaitEvent(side, forked, 0);            /* from here on side is captured, too */

    K2<<<BLOCKS, THREADS, 0, main>>>(left, x);
    K3<<<BLOCKS, THREADS, 0, main>>>(left);
    K4<<<BLOCKS, THREADS, 0, side>>>(right, x);
    K5<<<BLOCKS, THREADS, 0, side>>>(right);

    cudaEventRecord(joined, side);
    cudaStreamWaitEvent(main, joined, 0);            /* and here it comes back */
    K6<<<BLOCKS, THREADS, 0, main>>>(x, left, right);
    cudaStreamEndCapture(main, &graph);
    return graph;
}

void replay(float *x, float *left, float *right)
{
    cudaStream_t main, side;
    cudaEvent_t forked, joined;
    cudaGraphExec_t exec;
    cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);      /* they only order */
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);

    for (int i = 0; i < REPLAYS; i++) {
        cudaGraph_t graph = capture(x, left, right, rateOf(i), main, side, forked, joined);
        cudaGraphExecUpdateResultInfo result;
        if (i == 0) cudaGraphInstantiate(&exec, graph, 0);
        else cudaGraphExecUpdate(exec, graph, &result);             /* the same graph, with another rate */
        cudaGraphDestroy(graph);
        cudaGraphLaunch(exec, main);
        cudaStreamSynchronize(main);
    }

    cudaStreamSynchronize(main);
    cudaGraphExecDestroy(exec);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
    cudaStreamDestroy(main);
    cudaStreamDestroy(side);
}
