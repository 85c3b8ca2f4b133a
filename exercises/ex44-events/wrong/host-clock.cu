// caught-by: timing
// measures with the clock of the host instead of events
#include <time.h>
#include "ex44.h"

float orderByEvent(float *data, float *result, float *other)
{
    cudaStream_t producer, consumer, third;
    cudaEvent_t done, end;
    struct timespec begin, now;
    cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);       /* only orders, so it need not know the time */
    cudaEventCreate(&end);

    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int step = 0; step < STEPS; step++) produce<<<BLOCKS, THREADS, 0, producer>>>(data, step);
    cudaEventRecord(done, producer);

    cudaStreamWaitEvent(consumer, done, 0);
    consume<<<BLOCKS, THREADS, 0, consumer>>>(result, data);
    cudaEventRecord(end, consumer);

    for (int step = 0; step < STEPS + 2; step++) unrelated<<<BLOCKS, THREADS, 0, third>>>(other, step);

    while (cudaEventQuery(end) == cudaErrorNotReady) hostPiece();
    clock_gettime(CLOCK_MONOTONIC, &now);

    cudaStreamSynchronize(third);
    cudaEventDestroy(done);
    cudaEventDestroy(end);
    cudaStreamDestroy(producer);
    cudaStreamDestroy(consumer);
    cudaStreamDestroy(third);
    return (float)((double)(now.tv_sec - begin.tv_sec) * 1e3 + (double)(now.tv_nsec - begin.tv_nsec) / 1e6);
}
