// caught-by: own
// ker_A and ker_B in the default stream, the others in a blocking stream: each waits for the other
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers;
    cudaStreamCreate(&numbers);

    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS>>>(y);
    hostPart();
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_B<<<BLOCKS, THREADS>>>(y);
    hostPart();
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);

    cudaStreamSynchronize(numbers);
    cudaStreamSynchronize(0);
    cudaStreamDestroy(numbers);
}
