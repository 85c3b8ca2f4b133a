// ex41 pass: .
// The host works in a second thread while the first one waits: work of the host all the same (TRUST.md says so).
#include <thread>
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&letters, cudaStreamNonBlocking);

    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);

    std::thread other([] { hostPart(); hostPart(); });
    cudaStreamSynchronize(numbers);
    cudaStreamSynchronize(letters);
    other.join();
    cudaStreamDestroy(numbers);
    cudaStreamDestroy(letters);
}
