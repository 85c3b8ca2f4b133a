// One thread records, another waits for the event: with the recording thread known to be past the record, or not.
// hazard: race B A
// right: -DRIGHT
#include <future>
#include <thread>
#include <unistd.h>
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    cudaStream_t a = stream(), b = stream();
    cudaEvent_t e = event();
    std::promise<void> recorded;
    std::thread other([&] {
#ifndef RIGHT
        recorded.set_value();
        usleep(1000);
#endif
        fill<<<4, 256, 0, a>>>(d, N, 1);                         // A
        cudaEventRecord(e, a);
#ifdef RIGHT
        recorded.set_value();
#endif
    });
    recorded.get_future().wait();
    cudaStreamWaitEvent(b, e, 0);
    add<<<4, 256, 0, b>>>(d, N);                                 // B
    other.join();
    cudaStreamSynchronize(b);
    return finish();
}
