// caught-by: overlap
// the host's first part stands before ker_A is launched, as in a published listing
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&letters, cudaStreamNonBlocking);

    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    hostPart();
    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    hostPart();
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);

    cudaStreamSynchronize(numbers);
    cudaStreamSynchronize(letters);
    cudaStreamDestroy(numbers);
    cudaStreamDestroy(letters);
}
