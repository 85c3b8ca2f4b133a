/* Exercise 56: CUDA graphs. What you may rely on is in ex56.h; the lesson is `make ex56-lesson`. */
#include "ex56.h"

void replay(float *x, float *left, float *right)
{
    /* TODO: Three things are wrong with this capture.
     * 1. Only what is launched into `main` is captured. `side` knows nothing of the capture: K4 and K5 run now, once, and
     *    are not in the graph. A stream comes into a capture by waiting for an event that was recorded in it, and has to
     *    come back the same way before the capture ends.
     * 2. The graph holds the rate that K1 had when it was captured. Each iteration has another one.
     * 3. A graph can be launched as often as you like once it has been instantiated. Here it is instantiated each time. */
    cudaStream_t main, side;
    cudaGraph_t graph;
    cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);

    cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal);
    K1<<<BLOCKS, THREADS, 0, main>>>(x, rateOf(0));
    K2<<<BLOCKS, THREADS, 0, main>>>(left, x);
    K3<<<BLOCKS, THREADS, 0, main>>>(left);
    K4<<<BLOCKS, THREADS, 0, side>>>(right, x);
    K5<<<BLOCKS, THREADS, 0, side>>>(right);
    K6<<<BLOCKS, THREADS, 0, main>>>(x, left, right);
    cudaStreamEndCapture(main, &graph);

    for (int i = 0; i < REPLAYS; i++) {
        cudaGraphExec_t exec;
        cudaGraphInstantiate(&exec, graph, 0);
        cudaGraphLaunch(exec, main);
        cudaStreamSynchronize(main);
        cudaGraphExecDestroy(exec);
    }

    cudaGraphDestroy(graph);
    cudaStreamDestroy(main);
    cudaStreamDestroy(side);
}
