// caught-by: own
// two host threads, as if threads made streams: both launch into the default stream, which is one queue for all
#include <thread>
#include "ex41.h"

void fiveKernels(float *x, float *y)
{
    std::thread letters([y] {
        ker_A<<<BLOCKS, THREADS>>>(y);
        ker_B<<<BLOCKS, THREADS>>>(y);
    });

    ker_1<<<BLOCKS, THREADS>>>(x);
    ker_2<<<BLOCKS, THREADS>>>(x);
    ker_3<<<BLOCKS, THREADS>>>(x);
    hostPart();
    hostPart();
    letters.join();
    cudaDeviceSynchronize();
}
