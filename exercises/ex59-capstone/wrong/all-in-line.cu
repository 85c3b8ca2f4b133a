// caught-by: memory + latency + latency-one-engine, on a card: nothing
// each piece in a stream of its own: all of them are in the line at once, before who comes later
#include "ex59.h"

enum { LANES = LONG };              /* streams that a long request has its pieces in, at most */

static void CUDART_CB arrived(void *data)
{
    answer((int)(intptr_t)data);
}

void serve(Server server)
{
    cudaStream_t stream[REQUESTS][LANES];
    const int cut = server.start > 0.5f ? LONG : 1;                 /* pieces in a copy: a cut has to be worth its start */
    const int lanes = LANES;

    for (int r; (r = nextRequest()) >= 0;) {
        for (int k = 0; k < lanes; k++) cudaStreamCreateWithFlags(&stream[r][k], cudaStreamNonBlocking);

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
        }

        for (int k = 1; k < lanes; k++) {                           /* the first stream waits for the others ... */
            cudaEvent_t back;
            cudaEventCreateWithFlags(&back, cudaEventDisableTiming);
            cudaEventRecord(back, stream[r][k]);
            cudaStreamWaitEvent(stream[r][0], back, 0);
            cudaEventDestroy(back);
        }
        cudaLaunchHostFunc(stream[r][0], arrived, (void *)(intptr_t)r);      /* ... and answers */
    }

    cudaDeviceSynchronize();                                        /* waits for host functions, too */
    for (int r = 0; r < REQUESTS; r++)
        for (int k = 0; k < lanes; k++) cudaStreamDestroy(stream[r][k]);
}
