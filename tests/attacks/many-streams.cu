// ex43 over limit|fail|timed out|crashed: .
// Work for the grader: a hundred thousand streams, and each waits for all before it.
#include "ex43.h"

void asyncPipeline(const float *h_in, float *h_out, float *d_in, float *d_out)
{
    cudaStream_t stream[2000];
    for (int i = 0; i < 2000; i++) cudaStreamCreate(&stream[i]);
    for (int i = 0; i < 100000; i++) {
        cudaEvent_t event;
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        cudaEventRecord(event, stream[i % 2000]);
        cudaStreamWaitEvent(stream[(i * 7 + 1) % 2000], event, 0);
        work<<<1, 32, 0, stream[i % 2000]>>>(d_in, d_out);
    }
    cudaDeviceSynchronize();
    (void)h_in, (void)h_out, (void)d_in, (void)d_out;
}
