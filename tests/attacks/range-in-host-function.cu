// ex41 fail: The host works while the device does","state":"fail"
// The same in host functions of a third stream.
#include <nvtx3/nvToolsExt.h>
#include "ex41.h"
static void CUDART_CB begins(void *) { nvtxRangePushA("host_work"); }
static void CUDART_CB ends(void *) { nvtxRangePop(); }
static void part(cudaStream_t s)
{
    cudaStream_t marks;
    cudaStreamCreateWithFlags(&marks, cudaStreamNonBlocking);
    cudaLaunchHostFunc(marks, begins, nullptr);
    cudaStreamSynchronize(s);
    cudaLaunchHostFunc(marks, ends, nullptr);
    cudaStreamSynchronize(marks);
    cudaStreamDestroy(marks);
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
