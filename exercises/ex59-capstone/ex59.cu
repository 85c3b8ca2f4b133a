/* Exercise 59: an inference server. What you may rely on is in ex59.h; the lesson is `make ex59-lesson`. */
#include "ex59.h"

void serve(Server server)
{
    /* TODO: One request after the other, and the host waits for each. Reach this: requests are at work side by side, a
     * short one gets in between the parts of a long one, and each is answered as soon as all of its answer is there. */
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    for (int r; (r = nextRequest()) >= 0;) {
        size_t at = (size_t)r * LONG * PIECE_FLOATS, bytes = pieces(r) * PIECE_BYTES;
        float *scratch;
        cudaMallocAsync((void **)&scratch, bytes, stream);
        cudaMemcpyAsync(scratch, server.in + at, bytes, cudaMemcpyHostToDevice, stream);
        compute<<<BLOCKS, THREADS, 0, stream>>>(scratch, pieces(r));
        cudaMemcpyAsync(server.out + at, scratch, bytes, cudaMemcpyDeviceToHost, stream);
        cudaFreeAsync(scratch, stream);
        cudaStreamSynchronize(stream);
        answer(r);
    }

    cudaStreamDestroy(stream);
}
