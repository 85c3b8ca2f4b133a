// small KERNELS STREAMS NS - many small kernels: shorter than their launch (the host sets the pace), or longer.
#include "compare.h"

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    long long ns = atoll(argv[3]);
    int kernels = atoi(argv[1]), streams = atoi(argv[2]);
    cudaStream_t s[16];
    for (int i = 0; i < streams; i++) CHECK(cudaStreamCreate(&s[i]));
    measure([&] {
        for (int i = 0; i < kernels; i++) spin<<<1, 32, 0, s[i % streams]>>>(ns);
    });
    return 0;
}
