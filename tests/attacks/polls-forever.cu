// ex43 timed out: did not end within
// Asks a stream without end.
#include "ex43.h"
void asyncPipeline(const float *, float *, float *, float *)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    while (cudaStreamQuery(stream) != cudaErrorNotReady) {}
}
