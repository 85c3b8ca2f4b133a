// Registered memory is freed: the pages stay pinned.
// err: host code frees h[0..4095], which is still registered
// err: fix: call cudaHostUnregister before the memory is freed
#include <cstdlib>
int main()
{
    int *h = (int *)malloc(4096), *d;
    cudaHostRegister(h, 4096, 0);
    cudaMalloc(&d, 4096);
    cudaMemset(d, 0, 4096);
    cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost);
#ifdef RIGHT
    cudaHostUnregister(h);
#endif
    free(h);
    int *more = new int[1024];
    cudaHostRegister(more + 8, 2048, 0);
#ifdef RIGHT
    cudaHostUnregister(more + 8);
#endif
    delete[] more;
    cudaFree(d);
    return 0;
}
// hazard: wrong-memory 15
// hazard: wrong-memory 21
// right: -DRIGHT
