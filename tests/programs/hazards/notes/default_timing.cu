// The events around a copy are in the default stream, the copy is in another: the time is right by the barrier of the
// default stream only.
// check: all
// hazard: default-timing A B
// err: fix: record both events in the stream of what is measured: stream 1
// right: -DRIGHT
#include "../hazards.h"
#ifdef RIGHT
#define EVENTS_IN s
#else
#define EVENTS_IN 0
#endif
int main()
{
    int *d, *h; cudaMalloc(&d, BYTES); cudaMallocHost(&h, BYTES); keep_pinned(h);
    cudaStream_t s = stream(cudaStreamDefault);
    cudaEvent_t start = event(), stop = event();
    float ms;
    cudaEventRecord(start, EVENTS_IN);                           // A
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
    cudaEventRecord(stop, EVENTS_IN);                            // B
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    // what is in the default stream itself is measured rightly
    cudaEventRecord(start, 0);
    fill<<<4, 256>>>(d, N, 1);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaFree(d);
    for (int i = 0; i < n_events; i++) cudaEventDestroy(made_events[i]);
    for (int i = 0; i < n_streams; i++) cudaStreamDestroy(made_streams[i]);
    cudaFreeHost(h);
    return 0;
}
