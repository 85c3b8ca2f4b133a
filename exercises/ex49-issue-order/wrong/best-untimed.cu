// caught-by: c-took-4 + errors, on a card: errors
// C: events that keep no time are asked for it
#include "ex49.h"

void oneEngine(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (int i = 0; i < BATCHES; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }

    cudaDeviceSynchronize();
    for (int i = 0; i < BATCHES; i++) cudaStreamDestroy(stream[i]);
}

void oneQueue(float *data)
{
    cudaStream_t stream[CHAINS];
    for (int i = 0; i < CHAINS; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);

    for (int link = 0; link < LINKS; link++)
        for (int i = 0; i < CHAINS; i++)
            step<<<BLOCKS, THREADS, 0, stream[i]>>>(data + (size_t)i * CHAIN_FLOATS, link);

    cudaDeviceSynchronize();
    for (int i = 0; i < CHAINS; i++) cudaStreamDestroy(stream[i]);
}

void inPieces(const float *h_in, float *h_out, float *d_in, float *d_out, int pieces)
{
    cudaStream_t stream[MOST_PIECES];
    for (int i = 0; i < pieces; i++) cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);

    for (int i = 0; i < pieces; i++) {
        size_t at = (size_t)LANE_FLOATS * i / pieces, end = (size_t)LANE_FLOATS * (i + 1) / pieces;
        size_t bytes = (end - at) * sizeof(float);
        cudaMemcpyAsync(d_in + at, h_in + at, bytes, cudaMemcpyHostToDevice, stream[i]);
        piece<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at, (int)(end - at));
        cudaMemcpyAsync(h_out + at, d_out + at, bytes, cudaMemcpyDeviceToHost, stream[i]);
    }

    cudaDeviceSynchronize();
    for (int i = 0; i < pieces; i++) cudaStreamDestroy(stream[i]);
}

int bestPieces(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    int best = 0;
    float best_ms = 0;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begin, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&end, cudaEventDisableTiming);

    for (int pieces = 1; pieces <= MOST_PIECES; pieces *= 2) {
        float ms = 0;
        cudaEventRecord(begin, stream);                     /* the stream is idle: this is now ... */
        inPieces(h_in, h_out, d_in, d_out, pieces);         /* ... this returns when everything has arrived ... */
        cudaEventRecord(end, stream);                       /* ... so this is then */
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);

        took(pieces, ms);
        if (!best || ms < best_ms) {
            best = pieces;
            best_ms = ms;
        }
    }

    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
    return best;
}
