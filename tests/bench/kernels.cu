// flags: -I . -Xcompiler -mno-red-zone
#include "kernels.h"
extern "C" {
#include "sim/fiber/fiber.h"
}

#if defined(__x86_64__)
/* What a barrier cannot do without: as many stacks as a block has threads, each of which only goes on with the next. */
enum { RING = 256, STACK = FIBER_STACK };
static void *ring[RING], *outside;
static int rounds_left, newest;
REFERENCE_PLAIN static void go_round()
{
    int me = newest++;
    for (;;) {
        if (me == 0 && rounds_left-- == 0) fiber_switch(&ring[0], outside);
        fiber_switch(&ring[me], ring[(me + 1) % RING]);
    }
}
REFERENCE_PLAIN static void switch_stacks(int rounds)
{
    rounds_left = rounds;
    if (!ring[0])
        for (int i = 0; i < RING; i++) { // as fiber_switch leaves one: where it goes on is on top
            char *end = (char *)aligned_alloc(4096, STACK) + STACK;
            void **top = (void **)(end - i % 32 * 128); // not all in the same lines of the cache
            top[-2] = (void *)go_round;
            ring[i] = top - 2;
        }
    fiber_switch(&outside, ring[0]);
}
static void barrier_over_switch()
{
    double barrier = 1e18, bare = 1e18;
    for (int i = 0; i < 5; i++) { // turn and turn about: the machine changes its pace
        double b = best_kernel([] { barriers<<<N / RING, RING>>>(y, 16); }) / (16.0 * N),
               s = best([] { switch_stacks(N / RING * 16); }) / (16.0 * N);
        if (b < barrier) barrier = b;
        if (s < bare) bare = s;
    }
    printf("%-46s %8.2f %-12s target <= 1 (a switch %.2f ns)\n", "barrier, per thread, over a bare switch", barrier / bare,
           "x", bare);
}
#else
static void barrier_over_switch() {}
#endif

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
    barrier_over_switch();
    line("barrier with phases, per thread",
         per(best_kernel([] { phases<<<N / 4096, 256>>>(y, 16); }), N), "ns", "");
    line("asynchronous copy of 4 bytes, waited for",
         per(best_kernel([] { copies<<<N / 4096, 256>>>(x, y, 16); }), N), "ns", "");
    line("shuffle, per lane", per(best_kernel([] { shuffles<<<N / 256, 256>>>(y); }), 5.0 * N), "ns", "");
    return cudaGetLastError();
}
