// The target of a copy in flight is a local array of main: the array goes with main, and nothing may be written there.
// hazard: host-race C R
// hazard: unfinished C
// out: done 0
#include <cstdio>
#include <vector>

static std::vector<int> kept(32);     // destroyed after main

int main()
{
    int local[32] = {0}, *d = nullptr;
    cudaStream_t s;
    cudaHostRegister(local, sizeof local, 0);
    cudaMalloc(&d, sizeof local);
    cudaMemset(d, 1, sizeof local);
    cudaStreamCreate(&s);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(local, d, sizeof local, cudaMemcpyDeviceToHost, s);   // C
    printf("done %d\n", local[0]);    // R
    return 0;
}
