// ex41 fail: The host works while the device does","state":"fail"
// Calls the harness's function past the seam, so that nobody hears of it.
#include <nvtx3/nvToolsExt.h>
#include "ex41.h"
void unheard(void) __asm__("threelane_own__Z8hostPartv");
static void part(cudaStream_t) { unheard(); }
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
