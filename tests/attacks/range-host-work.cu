// ex41 fail: The host works while the device does","state":"fail"
// Marks its waiting as the host's work; hostPart() is never called.
#include <nvtx3/nvToolsExt.h>
#include "ex41.h"
static void part(cudaStream_t s) { nvtxRangePushA("host_work"); cudaStreamSynchronize(s); nvtxRangePop(); }
void fiveKernels(float *x, float *y)
{
    cudaStream_t numbers, letters;
    cudaStreamCreateWithFlags(&numbers, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&letters, cudaStreamNonBlocking);
    ker_1<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_A<<<BLOCKS, THREADS, 0, letters>>>(y);
    part(numbers);
    ker_2<<<BLOCKS, THREADS, 0, numbers>>>(x);
    ker_B<<<BLOCKS, THREADS, 0, letters>>>(y);
    part(numbers);
    ker_3<<<BLOCKS, THREADS, 0, numbers>>>(x);
    cudaStreamSynchronize(numbers);
    cudaStreamSynchronize(letters);
    cudaStreamDestroy(numbers);
    cudaStreamDestroy(letters);
}
