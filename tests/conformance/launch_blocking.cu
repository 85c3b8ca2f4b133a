// CUDA_LAUNCH_BLOCKING=1: a launch returns when the kernel has ended.
// run: THREELANE_MODEL=h200
// out: ok launch_blocking
#include "conformance.h"

int main()
{
    cudaStream_t s;
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    warm_up();
    OK(cudaStreamCreate(&s));
    double begin = now_ms();
    busy(s);
    CHECK(now_ms() - begin >= WAITED);
    IS(cudaSuccess, cudaStreamQuery(s));
    return finish("launch_blocking");
}
