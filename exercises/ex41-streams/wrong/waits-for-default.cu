// caught-by: hazards, on a card: finished
// waits for the default stream at the end, which non-blocking streams take no part in
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&letters, cudaStreamNonBlocking);

    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    hostPart();
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    hostPart();
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);

    cudaStreamSynchronize(0);
    cudaStreamDestroy(numbers);
    cudaStreamDestroy(letters);
}
