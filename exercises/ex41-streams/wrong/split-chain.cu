// caught-by: numbers
// ker_2 is in the stream of the letters: nothing orders it with ker_1
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&letters, cudaStreamNonBlocking);

    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    hostPart();
    ker_2<<<BLOCKS, THREADS, 0, letters>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    hostPart();
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);

    cudaStreamSynchronize(numbers);
    cudaStreamSynchronize(letters);
    cudaStreamDestroy(numbers);
    cudaStreamDestroy(letters);
}
