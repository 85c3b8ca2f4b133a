#include "kernels.h"
int main()
{
    prepare();
    line("default build: saxpy, per memory access", best_kernel([] { saxpy<<<N / 256, 256>>>(N, 2, x, y); }) / N / 3, "ns", "<= 3");
    line("default build: reads, per access", best_kernel([] { sums<<<1, 32>>>(x, y, N / 32); }) / N, "ns", "<= 3");
    line("default build: writes, per access", best_kernel([] { fill<<<1, 32>>>(y, N / 32); }) / N, "ns", "<= 3");
    line("default build: shared memory, per access", best_kernel([] { shared<<<1, 32>>>(y, N / 32); }) / N, "ns", "<= 3");
    line("barrier, per thread", best_kernel([] { barriers<<<N / 256, 256>>>(y, 16); }) / N / 16, "ns", "<= 10");
    line("barrier, per thread, blocks of 1024", best_kernel([] { barriers<<<N / 1024, 1024>>>(y, 16); }) / N / 16, "ns", "");
    line("shuffle, per lane", best_kernel([] { shuffles<<<N / 256, 256>>>(y); }) / N / 5, "ns", "");
    return cudaGetLastError();
}
