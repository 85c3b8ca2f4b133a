// A second host thread launches the letters, each thread into a stream of its own.
#include <thread>
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    std::thread letters([y] {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        ker_A<<<BLOCKS, THREADS, 0, stream>>>(y);
        ker_B<<<BLOCKS, THREADS, 0, stream>>>(y);
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    });

    cudaStream_t numbers;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);
    hostPart();
    hostPart();
    cudaStreamSynchronize(numbers);
    cudaStreamDestroy(numbers);
    letters.join();
}
