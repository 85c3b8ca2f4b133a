// An allocation that cannot work, and nobody looks. Where somebody does, nothing is said.
// hazard: failed-call A
// check: memory
// err: cudaMalloc failed with cudaErrorMemoryAllocation (out of memory), and nothing looks at its result
// right: -DRIGHT
#include "../hazards.h"
#define CHECK(call) do { if ((call) != cudaSuccess) puts("failed"); } while (0)
int main()
{
    void *p = nullptr;
    cudaStream_t s;
    cudaStreamCreate(&s);
#ifdef RIGHT
    if (cudaMalloc(&p, (size_t)1 << 50) != cudaSuccess) puts("no memory");
    CHECK(cudaMalloc(&p, (size_t)1 << 50));
    CHECK(
        cudaMalloc(&p, (size_t)1 << 50)
    );
    cudaError_t status =
        cudaMalloc(&p, (size_t)1 << 50);
    printf("%d\n", status);
    cudaMalloc(&p, (size_t)1 << 50);
    CHECK(cudaGetLastError());
#else
    cudaMalloc(&p, (size_t)1 << 50);                             // A
#endif
    cudaStreamDestroy(s);
    return 0;
}
