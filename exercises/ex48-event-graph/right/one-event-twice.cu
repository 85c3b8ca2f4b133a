// One event for both edges: recorded again only after the first wait was called
#include "ex48.h"

void runGraph(float *a, float *b, float *c, float *d)
{
    cudaStream_t rowA, rowB, rowC, rowD;
    cudaEvent_t edge;
    cudaStreamCreateWithFlags(&rowA, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowB, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowC, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowD, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&edge, cudaEventDisableTiming);      /* they only order */

    for (int i = 0; i < A_LEN; i++) {
        A<<<BLOCKS, THREADS, 0, rowA>>>(a, i);
        if (i == EDGE_AB) cudaEventRecord(edge, rowA);            /* right behind the one that is needed */
    }

    cudaStreamWaitEvent(rowB, edge, 0);
    for (int i = 0; i < B_LEN; i++) {
        B<<<BLOCKS, THREADS, 0, rowB>>>(b, a, i);
        if (i == EDGE_BD) cudaEventRecord(edge, rowB);
    }

    for (int i = 0; i < C_LEN; i++) C<<<BLOCKS, THREADS, 0, rowC>>>(c, i);

    cudaStreamWaitEvent(rowD, edge, 0);
    for (int i = 0; i < D_LEN; i++) D<<<BLOCKS, THREADS, 0, rowD>>>(d, b, i);

    cudaDeviceSynchronize();
    cudaEventDestroy(edge);
    cudaStreamDestroy(rowA);
    cudaStreamDestroy(rowB);
    cudaStreamDestroy(rowC);
    cudaStreamDestroy(rowD);
}
