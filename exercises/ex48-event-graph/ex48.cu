/* Exercise 48: a graph of events. What you may rely on is in ex48.h; the lesson is `make ex48-lesson`. */
#include "ex48.h"

void runGraph(float *a, float *b, float *c, float *d)
{
    /* TODO: The results are right, but the host keeps the order: it waits for a whole row before it launches the next.
     * Reach this: the host launches everything and then waits once; the first B waits, on the device, for A number
     * EDGE_AB and no more, the first D for B number EDGE_BD and no more, and C for nobody. */
    cudaStream_t rowA, rowB, rowC, rowD;
    cudaStreamCreateWithFlags(&rowA, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowB, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowC, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&rowD, cudaStreamNonBlocking);

    for (int i = 0; i < A_LEN; i++) A<<<BLOCKS, THREADS, 0, rowA>>>(a, i);
    cudaStreamSynchronize(rowA);

    for (int i = 0; i < B_LEN; i++) B<<<BLOCKS, THREADS, 0, rowB>>>(b, a, i);
    cudaStreamSynchronize(rowB);

    for (int i = 0; i < C_LEN; i++) C<<<BLOCKS, THREADS, 0, rowC>>>(c, i);
    for (int i = 0; i < D_LEN; i++) D<<<BLOCKS, THREADS, 0, rowD>>>(d, b, i);

    cudaDeviceSynchronize();
    cudaStreamDestroy(rowA);
    cudaStreamDestroy(rowB);
    cudaStreamDestroy(rowC);
    cudaStreamDestroy(rowD);
}
