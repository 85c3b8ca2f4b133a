#include "kernels.h"

static double per(double ns, double count) { return ns / count; }

int main()
{
    prepare();
    line("default build: saxpy, per memory access",
         per(best_kernel([] { saxpy<<<N / 256, 256>>>(N, 2, x, y); }), 3.0 * N), "ns", "<= 3");
    /* Here a thread walks through memory in long strides, as in a grid-stride loop: the walk's own cache misses count. */
    line("default build: strided reads, per access",
         per(best_kernel([] { sums<<<1, 32>>>(x, y, N / 32); }), N), "ns", "<= 3");
    line("default build: strided writes, per access",
         per(best_kernel([] { fill<<<1, 32>>>(y, N / 32); }), N), "ns", "<= 3");
    line("default build: shared memory, per access",
         per(best_kernel([] { shared<<<1, 32>>>(y, N / 32); }), N), "ns", "<= 3");
    line("barrier, per thread", per(best_kernel([] { barriers<<<N / 256, 256>>>(y, 16); }), 16.0 * N), "ns", "<= 10");
    line("barrier, per thread, blocks of 1024",
         per(best_kernel([] { barriers<<<N / 1024, 1024>>>(y, 16); }), 16.0 * N), "ns", "<= 10");
    line("barrier with phases, per thread",
         per(best_kernel([] { phases<<<N / 4096, 256>>>(y, 16); }), N), "ns", "");
    line("asynchronous copy of 4 bytes, waited for",
         per(best_kernel([] { copies<<<N / 4096, 256>>>(x, y, 16); }), N), "ns", "");
    line("shuffle, per lane", per(best_kernel([] { shuffles<<<N / 256, 256>>>(y); }), 5.0 * N), "ns", "");
    return cudaGetLastError();
}
