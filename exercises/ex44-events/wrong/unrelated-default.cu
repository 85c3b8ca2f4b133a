// caught-by: beside-producer
// unrelated is launched without its stream: it waits for both, as they are in blocking streams
#include "ex44.h"

float orderByEvent(float *data, float *result, float *other)
{
    cudaStream_t producer, consumer, third;
    cudaEvent_t begin, done, end;
    float ms = 0.0f;
    cudaStreamCreate(&producer);
    cudaStreamCreate(&consumer);
    cudaStreamCreate(&third);
    cudaEventCreate(&begin);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);       /* only orders, so it need not know the time */
    cudaEventCreate(&end);

    cudaEventRecord(begin, producer);
    for (int step = 0; step < STEPS; step++) produce<<<BLOCKS, THREADS, 0, producer>>>(data, step);
    cudaEventRecord(done, producer);

    cudaStreamWaitEvent(consumer, done, 0);
    consume<<<BLOCKS, THREADS, 0, consumer>>>(result, data);
    cudaEventRecord(end, consumer);

    for (int step = 0; step < STEPS + 2; step++) unrelated<<<BLOCKS, THREADS>>>(other, step);

    while (cudaEventQuery(end) == cudaErrorNotReady) hostPiece();

    cudaDeviceSynchronize();
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(done);
    cudaEventDestroy(end);
    cudaStreamDestroy(producer);
    cudaStreamDestroy(consumer);
    cudaStreamDestroy(third);
    return ms;
}
