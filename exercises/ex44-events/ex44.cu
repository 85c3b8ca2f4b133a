/* Exercise 44: events, order without stopping. What you may rely on is in ex44.h; the lesson is `make ex44-lesson`. */
#include "ex44.h"

float orderByEvent(float *data, float *result, float *other)
{
    /* TODO: The order is right, but to get it the host stops until the producer is done, and everybody else waits with
     * it. Reach this: only the consumer's stream waits for the producer, on the device, while unrelated and the host's
     * pieces run beside both. Then measure: the time from the first produce to the end of consume, in ms. */
    cudaStream_t producer, consumer, third;
    cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);

    for (int step = 0; step < STEPS; step++) produce<<<BLOCKS, THREADS, 0, producer>>>(data, step);
    cudaStreamSynchronize(producer);
    consume<<<BLOCKS, THREADS, 0, consumer>>>(result, data);
    for (int step = 0; step < STEPS + 2; step++) unrelated<<<BLOCKS, THREADS, 0, third>>>(other, step);

    hostPiece();
    cudaDeviceSynchronize();
    cudaStreamDestroy(producer);
    cudaStreamDestroy(consumer);
    cudaStreamDestroy(third);
    return 0.0f;
}
