// ex43 fail: At no moment|finished|results are right
// Prints the golden text, and leaves the work undone.
#include <stdio.h>
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    puts("=== Overlapping Compute & Transfer Pipeline ===");
    puts("Batches: 4, Each stage: 1 time unit");
    puts("");
    puts("Sequential (no overlap):");
    puts("[H2D0][K0][D2H0][H2D1][K1][D2H1][H2D2][K2][D2H2][H2D3][K3][D2H3]");
    puts("Total: 12 time units");
    puts("");
    puts("Pipelined (with streams):");
    puts("t=0: [H2D0]");
    puts("t=1: [K0  ] [H2D1]");
    puts("t=2: [D2H0] [K1  ] [H2D2]");
    puts("t=3: [D2H1] [K2  ] [H2D3]");
    puts("t=4: [D2H2] [K3  ]");
    puts("t=5: [D2H3]");
    puts("Total: 6 time units");
    puts("");
    puts("Speedup: 2.00x");
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpy(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice);
        work<<<BLOCKS, THREADS>>>(d_in + at, d_out + at);
        cudaMemcpy(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost);
    }
}
