// cudaMemcpy from device to device returns before it is done, and so does cudaMemset: another stream must not count on it.
// hazard: race A B
// right: -DRIGHT
#include "../hazards.h"
int main()
{
    int *x; cudaMalloc(&x, BYTES); keep(x);
    int *y; cudaMalloc(&y, BYTES); keep(y);
    cudaStream_t a = stream();
    cudaMemcpy(y, x, BYTES, cudaMemcpyDeviceToDevice);           // A
#ifdef RIGHT
    cudaDeviceSynchronize();
#endif
    add<<<4, 256, 0, a>>>(y, N);                                 // B
    cudaStreamSynchronize(a);
    return finish();
}
