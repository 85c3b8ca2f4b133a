// ex41 fail: The host works while the device does","state":"fail"
// The same from a thread that was there before main.
#include <nvtx3/nvToolsExt.h>
#include "ex41.h"
#include <pthread.h>
#include <unistd.h>
static volatile int turn;
static void *marks(void *)
{
    for (int i = 0; i < 2; i++) {
        while (turn != 2 * i + 1) usleep(10);
        nvtxRangePushA("host_work");
        while (turn != 2 * i + 2) usleep(10);
        nvtxRangePop();
    }
    return nullptr;
}
__attribute__((constructor)) static void before()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, marks, nullptr);
    pthread_detach(thread);
}
static void part(cudaStream_t s) { turn = turn + 1; cudaStreamSynchronize(s); turn = turn + 1; }
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
