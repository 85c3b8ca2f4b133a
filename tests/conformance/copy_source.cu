// When a copy reads its source: a staged one at the call, a DMA copy when its turn comes.
// run: THREELANE_MODEL=h200
// out: ok copy_source
#include "conformance.h"

int main()
{
    int *d, *h, back = 0, pageable = 1;
    cudaStream_t s;
    warm_up();
    OK(cudaMalloc(&d, sizeof *d));
    OK(cudaMallocHost(&h, sizeof *h));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));

    busy(s);
    OK(cudaMemcpyAsync(d, &pageable, sizeof pageable, cudaMemcpyHostToDevice, s));
    pageable = 2;                     // too late: the old value is on its way
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(&back, d, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back == 1);

    *h = 3;
    busy(s);
    OK(cudaMemcpyAsync(d, h, sizeof *h, cudaMemcpyHostToDevice, s));
    *h = 4;                           // a buffer refilled in flight: the new value is sent
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(&back, d, sizeof back, cudaMemcpyDeviceToHost));
    CHECK(back == 4);

    // The target keeps its old value until the copy has happened.
    *h = 5;
    busy(s);
    OK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, s));
    CHECK(*(volatile int *)h == 5);
    OK(cudaStreamSynchronize(s));
    CHECK(*(volatile int *)h == 4);
    return finish("copy_source");
}
// hazard: host-race 24 25
