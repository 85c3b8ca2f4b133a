// ex41 fail: The host works while the device does","state":"fail"
// Says of itself that it is the harness, in the runtime's own words, before it marks its waiting.
#include <nvtx3/nvToolsExt.h>
#include "ex41.h"
extern "C" void threelane_log_back(int);
static void part(cudaStream_t s)
{
    threelane_log_back(0);
    nvtxRangePushA("host_work");
    threelane_log_back(1);
    cudaStreamSynchronize(s);
    threelane_log_back(0);
    nvtxRangePop();
    threelane_log_back(1);
}
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
