// flags: --plain
// The five kernels by the clock on the wall, at sizes where it pays to spread their blocks. `run` starts this on one
// processor and on all, in turn. A line is: what, ns.
#include "five.h"

static double wall_ns()
{
    timespec t; /* past the virtual clock */
    long number = 228;
#if defined(__x86_64__)
    __asm__ volatile("syscall" : "+a"(number) : "D"(CLOCK_MONOTONIC), "S"(&t) : "rcx", "r11", "memory");
#else
    (void)number;
    register long call __asm__("x8") = 113, clock __asm__("x0") = CLOCK_MONOTONIC;
    register timespec *to __asm__("x1") = &t;
    __asm__ volatile("svc 0" : "+r"(clock) : "r"(call), "r"(to) : "memory");
#endif
    return t.tv_sec * 1e9 + t.tv_nsec;
}

template <class Kernel> static void timed(const char *what, Kernel launch)
{
    double least = 1e18;
    for (int i = 0; i < 5; i++) {
        double begin = wall_ns();
        launch();
        cudaDeviceSynchronize();
        double took = wall_ns() - begin;
        if (took < least) least = took;
    }
    printf("%s %.0f\n", what, least);
}

int main()
{
    enum { MANY = 16 * N, FAR = 4 * WIDE };
    float *from, *to;
    unsigned *bins;
    cudaMalloc(&from, MANY * sizeof *from);
    cudaMalloc(&to, MANY * sizeof *to);
    cudaMalloc(&bins, BINS * sizeof *bins);
    cudaMemset(from, 0, MANY * sizeof *from);
    cudaMemset(to, 0, MANY * sizeof *to);
    cudaMemset(bins, 0, BINS * sizeof *bins);
    timed("matmul", [=] { matmul<<<dim3(SIDE / 16, SIDE / 16), dim3(16, 16)>>>(from, from + SIDE * SIDE, to, SIDE); });
    timed("saxpy", [=] { saxpy<<<MANY / 256, 256>>>(MANY, 2, from, to); });
    timed("stencil", [=] { stencil<<<dim3(FAR / 32, FAR / 8), dim3(32, 8)>>>(from, to, FAR); });
    timed("reduction", [=] { reduction<<<N / 256, 256>>>(from, to); });
    timed("histogram", [=] { histogram<<<64, BINS>>>((const unsigned char *)from, bins, MANY * 4); });
    return cudaGetLastError();
}
