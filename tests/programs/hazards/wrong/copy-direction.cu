// From the device to the host.
#include <string.h>
int main()
{
    int h[8] = {0}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    memset(h, 0, sizeof h);
    cudaFree(d);
    return 0;
}
// check: all
