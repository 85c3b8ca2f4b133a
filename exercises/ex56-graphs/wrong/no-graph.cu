// caught-by: captured
// the launches of every day, in two streams, and no graph
#include "ex56.h"

/* One iteration as a graph. Capturing executes nothing: it writes down. */
static void capture(float *x, float *left, float *right, float rate, cudaStream_t main, cudaStream_t side,
                           cudaEvent_t forked, cudaEvent_t joined)
{
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
}

void replay(float *x, float *left, float *right)
{
    cudaStream_t main, side;
    cudaEvent_t forked, joined;
    cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);      /* they only order */
    cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);

    for (int i = 0; i < REPLAYS; i++) {
        capture(x, left, right, rateOf(i), main, side, forked, joined);
    }

    cudaStreamSynchronize(main);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
    cudaStreamDestroy(main);
    cudaStreamDestroy(side);
}
