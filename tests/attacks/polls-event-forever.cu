// ex43 timed out: did not end within
// also with Landlock
// Asks an event without end, and forgets the errors.
#include "ex43.h"
void asyncPipeline(const float *, float *, float *, float *)
{
    cudaEvent_t event;
    cudaEventCreate(&event);
    while (cudaEventQuery(event) != cudaErrorNotReady) cudaGetLastError();
}
