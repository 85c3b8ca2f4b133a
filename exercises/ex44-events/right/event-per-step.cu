// Each step has an event of its own; the consumer waits for all of them, which is more than it needs.
#include "ex44.h"

float orderByEvent(float *data, float *result, float *other)
{
    cudaStream_t producer, consumer, third;
    cudaEvent_t begin, done[STEPS], end;
    float ms = 0.0f;
    cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
    cudaEventCreate(&begin);
    for (int step = 0; step < STEPS; step++) cudaEventCreateWithFlags(&done[step], cudaEventDisableTiming);
    cudaEventCreate(&end);

    cudaEventRecord(begin, producer);
    for (int step = 0; step < STEPS; step++) {
        produce<<<BLOCKS, THREADS, 0, producer>>>(data, step);
        cudaEventRecord(done[step], producer);
        cudaStreamWaitEvent(consumer, done[step], 0);
    }
    consume<<<BLOCKS, THREADS, 0, consumer>>>(result, data);
    cudaEventRecord(end, consumer);

    for (int step = 0; step < STEPS + 2; step++) unrelated<<<BLOCKS, THREADS, 0, third>>>(other, step);

    while (cudaEventQuery(end) == cudaErrorNotReady) hostPiece();

    cudaStreamSynchronize(third);
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    for (int step = 0; step < STEPS; step++) cudaEventDestroy(done[step]);
    cudaEventDestroy(end);
    cudaStreamDestroy(producer);
    cudaStreamDestroy(consumer);
    cudaStreamDestroy(third);
    return ms;
}
