// Host code that follows a device pointer.
// status: 97
// err: host_reads_device.cu:10: host code reads device memory (4096 bytes from cudaMalloc at
// err: host_reads_device.cu:9): copy it to the host first
#include <cstdio>
int main()
{
    volatile float *d;
    cudaMalloc((void **)&d, 4096);
    printf("%f\n", d[3]);
    return 0;
}
// hazard: wrong-memory 10
