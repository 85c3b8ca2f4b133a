// caught-by: event
// no event: the consumer is in the default stream, which waits for all blocking streams
#include "ex44.h"

float orderByEvent(float *data, float *result, float *other)
{
    cudaStream_t producer, third;
    cudaEvent_t begin, done, end;
    float ms = 0.0f;
    cudaStreamCreate(&producer);
    cudaStreamCreate(&third);
    cudaEventCreate(&begin);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);       /* only orders, so it need not know the time */
    cudaEventCreate(&end);

    cudaEventRecord(begin, producer);
    for (int step = 0; step < STEPS; step++) produce<<<BLOCKS, THREADS, 0, producer>>>(data, step);
    cudaEventRecord(done, producer);

    consume<<<BLOCKS, THREADS>>>(result, data);
    cudaEventRecord(end, 0);

    for (int step = 0; step < STEPS + 2; step++) unrelated<<<BLOCKS, THREADS, 0, third>>>(other, step);

    while (cudaEventQuery(end) == cudaErrorNotReady) hostPiece();

    cudaStreamSynchronize(third);
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(done);
    cudaEventDestroy(end);
    cudaStreamDestroy(producer);
    cudaStreamDestroy(third);
    return ms;
}
