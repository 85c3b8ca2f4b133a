// The letters go into the per-thread default stream, which is an ordinary stream of this host thread.
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers;
    cudaStreamCreate(&numbers);

    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, cudaStreamPerThread>>>(y);
    ker_B<<<BLOCKS, THREADS, 0, cudaStreamPerThread>>>(y);
    hostPart();
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);
    hostPart();

    cudaStreamSynchronize(cudaStreamPerThread);
    cudaStreamSynchronize(numbers);
    cudaStreamDestroy(numbers);
}
