// No events: a host function behind each piece counts down, and the last one answers.
#include <atomic>
#include "ex59.h"

enum { LANES = 2 };              /* streams that a long request has its pieces in, at most */

static std::atomic<int> missing[REQUESTS];      /* copies that are not back */

static void CUDART_CB arrived(void *data)
{
    int r = (int)(intptr_t)data;
    if (--missing[r] == 0) answer(r);
}

void serve(Server server)
{
    cudaStream_t stream[REQUESTS][LANES];
    const int cut = server.start > 0.5f ? LONG : 1;                 /* pieces in a copy: a cut has to be worth its start */
    const int lanes = server.copy_engines > 1 ? LANES : 1;          /* where a copy lane is scarce, the line is short */

    for (int r; (r = nextRequest()) >= 0;) {
        for (int k = 0; k < lanes; k++) cudaStreamCreateWithFlags(&stream[r][k], cudaStreamNonBlocking);

        missing[r] = (pieces(r) + cut - 1) / cut;
        for (int p = 0; p < pieces(r); p += cut) {
            int n = pieces(r) - p < cut ? pieces(r) - p : cut;
            size_t at = ((size_t)r * LONG + p) * PIECE_FLOATS, bytes = n * PIECE_BYTES;
            cudaStream_t mine = stream[r][p / cut % lanes];
            float *scratch;
            cudaMallocAsync((void **)&scratch, bytes, mine);
            cudaMemcpyAsync(scratch, server.in + at, bytes, cudaMemcpyHostToDevice, mine);
            compute<<<BLOCKS, THREADS, 0, mine>>>(scratch, n);
            cudaMemcpyAsync(server.out + at, scratch, bytes, cudaMemcpyDeviceToHost, mine);
            cudaFreeAsync(scratch, mine);
            cudaLaunchHostFunc(mine, arrived, (void *)(intptr_t)r);
        }

    }

    cudaDeviceSynchronize();                                        /* waits for host functions, too */
    for (int r = 0; r < REQUESTS; r++)
        for (int k = 0; k < lanes; k++) cudaStreamDestroy(stream[r][k]);
}
