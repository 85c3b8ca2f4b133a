// cudaHostUnregister while a copy into the buffer may be running; the free afterwards is not another error.
// hazard: free-in-flight A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    int *h = (int *)malloc(BYTES);
    cudaHostRegister(h, BYTES, 0);
    cudaStream_t a = stream();
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, a);     // A
#ifdef RIGHT
    cudaStreamSynchronize(a);
#endif
    cudaHostUnregister(h);                                       // B
    free(h);
    return finish();
}
