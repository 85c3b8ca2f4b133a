// Copies between host memory, asynchronous ones too, hold the host until the stream's earlier work and they are done.
// run: THREELANE_MODEL=h200
// out: ok copy_host_to_host
#include "conformance.h"

int main()
{
    static int from = 1, to;
    int *h, *h2;
    cudaStream_t s;
    warm_up();
    OK(cudaMallocHost(&h, sizeof *h));
    OK(cudaMallocHost(&h2, sizeof *h2));
    OK(cudaStreamCreate(&s));
    *h = 2;

    busy(s);
    WAITS(cudaMemcpyAsync(&to, &from, sizeof to, cudaMemcpyHostToHost, s));
    CHECK(to == 1);
    busy(s);
    WAITS(cudaMemcpyAsync(h2, h, sizeof *h, cudaMemcpyHostToHost, s));
    CHECK(*h2 == 2);
    busy(s);
    WAITS(cudaMemcpy(&to, h, sizeof to, cudaMemcpyHostToHost));
    CHECK(to == 2);
    return finish("copy_host_to_host");
}
