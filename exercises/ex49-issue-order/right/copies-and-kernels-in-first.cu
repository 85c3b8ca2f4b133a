// A: two loops, copies in and kernels in the first; C: the last piece takes the rest
#include "ex49.h"

void oneEngine(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[BATCHES];
    for (cudaStream_t &s : stream) cudaStreamCreate(&s);

    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(d_in + at, h_in + at, BATCH_BYTES, cudaMemcpyHostToDevice, stream[i]);
        K<<<BLOCKS, THREADS, 0, stream[i]>>>(d_in + at, d_out + at);
    }
    for (int i = 0; i < BATCHES; i++) {
        size_t at = (size_t)i * BATCH_FLOATS;
        cudaMemcpyAsync(h_out + at, d_out + at, BATCH_BYTES, cudaMemcpyDeviceToHost, stream[i]);
    }

    cudaDeviceSynchronize();
    for (cudaStream_t &s : stream) cudaStreamDestroy(s);
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
    cudaStream_t stream[3];
    int each = LANE_FLOATS / pieces;
    for (int k = 0; k < 3; k++) cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);

    for (int i = 0; i < pieces; i++) {
        cudaStream_t s = stream[i % 3];
        size_t at = (size_t)i * each;
        int n = i == pieces - 1 ? LANE_FLOATS - (int)at : each;
        cudaMemcpyAsync(d_in + at, h_in + at, n * sizeof(float), cudaMemcpyHostToDevice, s);
        piece<<<BLOCKS, THREADS, 0, s>>>(d_in + at, d_out + at, n);
        cudaMemcpyAsync(h_out + at, d_out + at, n * sizeof(float), cudaMemcpyDeviceToHost, s);
    }

    for (int k = 0; k < 3; k++) cudaStreamSynchronize(stream[k]);
    for (int k = 0; k < 3; k++) cudaStreamDestroy(stream[k]);
}

int bestPieces(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    int best = 0;
    float best_ms = 0;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);

    for (int pieces = 1; pieces <= MOST_PIECES; pieces *= 2) {
        float ms;
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
