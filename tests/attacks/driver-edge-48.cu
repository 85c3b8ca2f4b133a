// ex48 fail: As many waits as edges: two","state":"fail"
// A third edge, by the driver's call.
#include <cuda.h>
#include "ex48.h"

void runGraph(float *a, float *b, float *c, float *d)
{
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

    cuStreamWaitEvent((CUstream)rowB, edgeAB, 0);
    for (int i = 0; i < B_LEN; i++) {
        B<<<BLOCKS, THREADS, 0, rowB>>>(b, a, i);
        if (i == EDGE_BD) cudaEventRecord(edgeBD, rowB);
    }

    for (int i = 0; i < C_LEN; i++) C<<<BLOCKS, THREADS, 0, rowC>>>(c, i);

    cudaStreamWaitEvent(rowD, edgeBD, 0);
    for (int i = 0; i < D_LEN; i++) D<<<BLOCKS, THREADS, 0, rowD>>>(d, b, i);

    cuStreamWaitEvent((CUstream)rowC, edgeBD, 0);
    cudaDeviceSynchronize();
    cudaEventDestroy(edgeAB);
    cudaEventDestroy(edgeBD);
    cudaStreamDestroy(rowA);
    cudaStreamDestroy(rowB);
    cudaStreamDestroy(rowC);
    cudaStreamDestroy(rowD);
}
