/* Exercise 49: issue order and chunk size. What you may rely on is in ex49.h; the lesson is `make ex49-lesson`. */
#include "ex49.h"

void oneEngine(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    /* TODO A: The results are right, and two copy engines would overlap. With one, which takes copies in the order in which
     * they are issued, H2D1 waits behind D2H0. Reach this: issue the same work in an order that keeps the engine busy. */
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }

    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
}

void oneQueue(float *data)
{
    /* TODO B: Right results again, and with a queue for each stream all chains run at once. With one queue, a kernel waits
     * for all that were launched before it to have started. Reach this: the chains run at once in one queue, too. */
    cudaStream_t stream[CHAINS];
    for (int i = 0; i < CHAINS; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);

    for (int i = 0; i < CHAINS; i++)
        for (int link = 0; link < LINKS; link++)
            step<<<BLOCKS, THREADS, 0, stream[i]>>>(data + (size_t)i * CHAIN_FLOATS, link);

    cudaDeviceSynchronize();
    for (int i = 0; i < CHAINS; i++) cudaStreamDestroy(stream[i]);
}

void inPieces(const float *h_in, float *h_out, float *d_in, float *d_out, int pieces)
{
    /* TODO C: The lanes overlap, but the last floats are lost where LANE_FLOATS is not a multiple of pieces.
     * Reach this: every float is in one of the pieces, whatever LANE_FLOATS is. */
    cudaStream_t stream[MOST_PIECES];
    int n = LANE_FLOATS / pieces;
    for (int i = 0; i < pieces; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);

    for (int i = 0; i < pieces; i++) {
        size_t at = (size_t)i * n, bytes = n * sizeof(float);
        cudaMemcpyAsync(d_in + at, h_in + at, bytes, cudaMemcpyHostToDevice, stream[i]);
        piece<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at, n);
        cudaMemcpyAsync(h_out + at, d_out + at, bytes, cudaMemcpyDeviceToHost, stream[i]);
    }

    cudaDeviceSynchronize();
    for (int i = 0; i < pieces; i++) cudaStreamDestroy(stream[i]);
}

int bestPieces(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    /* TODO C: Nothing is measured: "the more pieces, the more overlap".
     * Reach this: run inPieces() with 1, 2, 4, 8 and 16 pieces, measure each, call took() for each, return the fastest. */
    inPieces(h_in, h_out, d_in, d_out, MOST_PIECES);
    return MOST_PIECES;
}
