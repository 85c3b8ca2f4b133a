// caught-by: own
// no stream for the letters: the handle is 0, and that is the default stream
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters = 0;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);

    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    hostPart();
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    hostPart();
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);

    cudaStreamSynchronize(numbers);
    cudaStreamSynchronize(letters);
    cudaStreamDestroy(numbers);
}
