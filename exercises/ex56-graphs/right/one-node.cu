// the one node that changes gets its new rate
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

    cudaGraph_t graph = capture(x, left, right, rateOf(0), main, side, forked, joined);
    cudaGraphNode_t first;
    size_t n = 1;
    cudaGraphGetRootNodes(graph, &first, &n);        /* K1 is the only one that waits for nobody */
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < REPLAYS; i++) {
        float rate = rateOf(i);
        void *args[] = {&x, &rate};
        cudaKernelNodeParams params = {};
        params.func = (void *)K1;
        params.gridDim = dim3(BLOCKS);
        params.blockDim = dim3(THREADS);
        params.kernelParams = args;
        cudaGraphExecKernelNodeSetParams(exec, first, &params);
        cudaGraphLaunch(exec, main);
    }
    cudaGraphDestroy(graph);

    cudaStreamSynchronize(main);
    cudaGraphExecDestroy(exec);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
    cudaStreamDestroy(main);
    cudaStreamDestroy(side);
}
