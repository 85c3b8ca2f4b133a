/* Exercise 41: five kernels, two queues. What you may rely on is in ex41.h; the lesson is `make ex41-lesson`. */
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    /* TODO: One stream is one queue: these five kernels take five units, though the two chains have nothing to do with
     * each other. Give ker_A and ker_B a queue of their own, so that all is done after three units. The host keeps
     * working meanwhile, and what you create you also destroy. */
    cudaStream_t stream;
    cudaStreamCreate(&stream);

    ker_1<<<BLOCKS, THREADS, 0, stream>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, stream>>>(y);
    hostPart();
    ker_2<<<BLOCKS, THREADS, 0, stream>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, stream>>>(y);
    hostPart();
    ker_3<<<BLOCKS, THREADS, 0, stream>>>(x);

    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
