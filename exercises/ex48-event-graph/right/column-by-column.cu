// The graph is launched column by column, as the kernels may run; streams and events in arrays.
#include "ex48.h"

enum { ROWS = 4 };

void runGraph(float *a, float *b, float *c, float *d)
{
    const int length[ROWS] = {A_LEN, B_LEN, C_LEN, D_LEN};
    const int begins[ROWS] = {0, EDGE_AB + 1, 0, EDGE_AB + EDGE_BD + 2};
    cudaStream_t row[ROWS];
    cudaEvent_t edge[2];
    for (int i = 0; i < ROWS; i++) cudaStreamCreateWithFlags(&row[i], cudaStreamNonBlocking);
    for (int i = 0; i < 2; i++) cudaEventCreateWithFlags(&edge[i], cudaEventDisableTiming);

    for (int column = 0; column < A_LEN + B_LEN + C_LEN + D_LEN; column++) {
        for (int r = 0; r < ROWS; r++) {
            int i = column - begins[r];
            if (i < 0 || i >= length[r]) continue;
            if (r == 1 && i == 0) cudaStreamWaitEvent(row[1], edge[0], 0);
            if (r == 3 && i == 0) cudaStreamWaitEvent(row[3], edge[1], 0);
            if (r == 0) A<<<BLOCKS, THREADS, 0, row[0]>>>(a, i);
            if (r == 1) B<<<BLOCKS, THREADS, 0, row[1]>>>(b, a, i);
            if (r == 2) C<<<BLOCKS, THREADS, 0, row[2]>>>(c, i);
            if (r == 3) D<<<BLOCKS, THREADS, 0, row[3]>>>(d, b, i);
            if (r == 0 && i == EDGE_AB) cudaEventRecord(edge[0], row[0]);
            if (r == 1 && i == EDGE_BD) cudaEventRecord(edge[1], row[1]);
        }
    }

    for (int i = 0; i < ROWS; i++) cudaStreamSynchronize(row[i]);
    for (int i = 0; i < 2; i++) cudaEventDestroy(edge[i]);
    for (int i = 0; i < ROWS; i++) cudaStreamDestroy(row[i]);
}
