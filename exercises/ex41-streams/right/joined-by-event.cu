// The numbers' stream waits for an event of the letters at the end, so the host waits for one stream only.
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&letters, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);

    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    hostPart();
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    cudaEventRecord(done, letters);
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);
    cudaStreamWaitEvent(numbers, done, 0);
    hostPart();

    cudaStreamSynchronize(numbers);
    cudaEventDestroy(done);
    cudaStreamDestroy(numbers);
    cudaStreamDestroy(letters);
}
