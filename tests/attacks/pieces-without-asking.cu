// ex44 pass: .
// Pieces enough in a thread, whatever the event says: work of the host beside the device.
#include <thread>
#include "ex44.h"

float orderByEvent(float *data, float *result, float *other)
{
    cudaStream_t producer, consumer, third;
    cudaEvent_t begin, done, end;
    float ms = 0.0f;
    cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
    cudaEventCreate(&begin);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);       /* only orders, so it need not know the time */
    cudaEventCreate(&end);

    cudaEventRecord(begin, producer);
    for (int step = 0; step < STEPS; step++) produce<<<BLOCKS, THREADS, 0, producer>>>(data, step);
    cudaEventRecord(done, producer);

    cudaStreamWaitEvent(consumer, done, 0);
    consume<<<BLOCKS, THREADS, 0, consumer>>>(result, data);
    cudaEventRecord(end, consumer);

    for (int step = 0; step < STEPS + 2; step++) unrelated<<<BLOCKS, THREADS, 0, third>>>(other, step);

    std::thread pieces([] { for (int i = 0; i < 4 * (STEPS + 2); i++) hostPiece(); });
    cudaEventSynchronize(end);
    pieces.join();

    cudaStreamSynchronize(third);
    cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(done);
    cudaEventDestroy(end);
    cudaStreamDestroy(producer);
    cudaStreamDestroy(consumer);
    cudaStreamDestroy(third);
    return ms;
}
