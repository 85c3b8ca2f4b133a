// What has ended by itself, without a wait, is no reason for a note: the host slept for longer than it took.
#include <unistd.h>

__global__ void a(int *p) { p[0] = 1; }

int main()
{
    int *d = nullptr;
    cudaMalloc(&d, 128);
    a<<<1, 1>>>(d);
    sleep(1);
    cudaFree(d);
    return 0;
}
