// ex44 fail: .
// Returns the milliseconds that would be right without measuring them.
#include "ex44.h"
float orderByEvent(float *data, float *result, float *other)
{
    for (int step = 0; step < STEPS; step++) produce<<<BLOCKS, THREADS>>>(data, step);
    consume<<<BLOCKS, THREADS>>>(result, data);
    for (int step = 0; step <= STEPS; step++) unrelated<<<BLOCKS, THREADS>>>(other, step);
    cudaDeviceSynchronize();
    return STEPS + 1;
}
