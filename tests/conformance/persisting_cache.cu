// Persisting lines of the cache become normal ones; nothing else is seen of it.
// run: THREELANE_MODEL=h200
// out: ok persisting_cache
#include "conformance.h"

int main()
{
    int *d, h = 7;
    warm_up();
    OK(cudaMalloc(&d, sizeof *d));
    OK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
    OK(cudaCtxResetPersistingL2Cache());
    h = 0;
    OK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(h == 7);
    OK(cudaGetLastError());
    return finish("persisting_cache");
}
