// Each row is launched by a function that tells, on the way, who waits for it: B from inside A, D from inside B.
#include "ex48.h"

static cudaStream_t rows[4];
static cudaEvent_t edges[2];

static void launchD(float *d, const float *b)
{
    cudaEventRecord(edges[1], rows[1]);
    cudaStreamWaitEvent(rows[3], edges[1], 0);
    for (int i = 0; i < D_LEN; i++) D<<<BLOCKS, THREADS, 0, rows[3]>>>(d, b, i);
}

static void launchB(float *b, const float *a, float *d)
{
    cudaEventRecord(edges[0], rows[0]);
    cudaStreamWaitEvent(rows[1], edges[0], 0);
    for (int i = 0; i < B_LEN; i++) {
        B<<<BLOCKS, THREADS, 0, rows[1]>>>(b, a, i);
        if (i == EDGE_BD) launchD(d, b);
    }
}

void runGraph(float *a, float *b, float *c, float *d)
{
    for (int i = 0; i < 4; i++) cudaStreamCreateWithFlags(&rows[i], cudaStreamNonBlocking);
    for (int i = 0; i < 2; i++) cudaEventCreateWithFlags(&edges[i], cudaEventDisableTiming);

    for (int i = 0; i < C_LEN; i++) C<<<BLOCKS, THREADS, 0, rows[2]>>>(c, i);
    for (int i = 0; i < A_LEN; i++) {
        A<<<BLOCKS, THREADS, 0, rows[0]>>>(a, i);
        if (i == EDGE_AB) launchB(b, a, d);
    }

    cudaDeviceSynchronize();
    for (int i = 0; i < 2; i++) cudaEventDestroy(edges[i]);
    for (int i = 0; i < 4; i++) cudaStreamDestroy(rows[i]);
}
