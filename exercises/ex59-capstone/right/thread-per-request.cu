// A thread for each request: it waits for its own streams, which stops nobody else, and answers.
#include <thread>
#include <vector>
#include "ex59.h"

enum { LANES = 2 };

static void serve_one(Server server, int r)
{
    const int cut = server.start > 0.5f ? LONG : 1, lanes = server.copy_engines > 1 ? LANES : 1;
    cudaStream_t stream[LANES];
    for (int k = 0; k < lanes; k++) cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking);

    for (int p = 0; p < pieces(r); p += cut) {
        int n = pieces(r) - p < cut ? pieces(r) - p : cut;
        size_t at = ((size_t)r * LONG + p) * PIECE_FLOATS, bytes = n * PIECE_BYTES;
        cudaStream_t mine = stream[p / cut % lanes];
        float *scratch;
        cudaMallocAsync((void **)&scratch, bytes, mine);
        cudaMemcpyAsync(scratch, server.in + at, bytes, cudaMemcpyHostToDevice, mine);
        compute<<<BLOCKS, THREADS, 0, mine>>>(scratch, n);
        cudaMemcpyAsync(server.out + at, scratch, bytes, cudaMemcpyDeviceToHost, mine);
        cudaFreeAsync(scratch, mine);
    }

    for (int k = 0; k < lanes; k++) {
        cudaStreamSynchronize(stream[k]);
        cudaStreamDestroy(stream[k]);
    }
    answer(r);
}

void serve(Server server)
{
    std::vector<std::thread> threads;
    for (int r; (r = nextRequest()) >= 0;) threads.emplace_back(serve_one, server, r);
    for (std::thread &one : threads) one.join();
}
