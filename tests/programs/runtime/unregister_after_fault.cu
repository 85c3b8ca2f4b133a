// Memory that is unregistered is first waited for; what failed until then is said by that call.
// run: THREELANE_MODEL=unit
// hazard: wrong-memory 8
// out: 700, then 700
#include <cstdio>
#include <cstdlib>

__global__ void beyond(int *p) { p[1ll << 40] = 1; }

int main()
{
    int *device;
    void *host = malloc(4096);
    cudaMalloc(&device, 64);
    cudaHostRegister(host, 4096, 0);
    beyond<<<1, 1>>>(device);
    int first = cudaHostUnregister(host);
    printf("%d, then %d\n", first, cudaDeviceSynchronize());
    return 0;
}
