// CUDA_VISIBLE_DEVICES: which of the devices there are, and in which order; from a word that is no device on, none.
// run: THREELANE_MODEL=unit+devices=4 CUDA_VISIBLE_DEVICES=3,1,9,0
// out: 2 devices, on bus 4 and 2
#include <cstdio>
int main()
{
    int n = -1, bus[2] = {-1, -1};
    cudaDeviceProp p;
    if (cudaGetDeviceCount(&n) || n != 2) return 1;
    for (int i = 0; i < 2; i++) {
        if (cudaGetDeviceProperties(&p, i)) return 2;
        bus[i] = p.pciBusID;
    }
    if (cudaSetDevice(2) != cudaErrorInvalidDevice) return 3;
    printf("%d devices, on bus %d and %d\n", n, bus[0], bus[1]);
}
