// cudaStreamPerThread is a blocking stream: the legacy default stream waits for it, and it for that.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *d; cudaMalloc(&d, BYTES); keep(d);
    fill<<<4, 256, 0, cudaStreamPerThread>>>(d, N, 1);           // A
#ifdef RIGHT
    add<<<4, 256, 0, cudaStreamLegacy>>>(d, N);
    add<<<4, 256, 0, cudaStreamPerThread>>>(d, N);
    cudaStreamSynchronize(cudaStreamPerThread);
#else
    add<<<4, 256, 0, stream(cudaStreamDefault)>>>(d, N);         // B
#endif
    return finish();
}
