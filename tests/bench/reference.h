/* What the machine does at this moment: a loop that always does the same, beside each number. A
 * round is a look into a table of 256 KiB that says where to look next, and some arithmetic; a
 * quiet machine of 2024 makes about 50 million a second. Numbers of two runs can be compared as
 * multiples of it. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
static inline double reference_cpu_ns(void)
{
    struct timespec t; /* past the virtual clock */
    long number = 228;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(CLOCK_PROCESS_CPUTIME_ID), "S"(&t)
                     : "rcx", "r11", "memory");
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
#else
static inline double reference_cpu_ns(void)
{
    struct timespec t;
    register long number __asm__("x8") = 113, clock __asm__("x0") = CLOCK_PROCESS_CPUTIME_ID;
    register struct timespec *to __asm__("x1") = &t;
    __asm__ volatile("svc 0" : "+r"(clock) : "r"(number), "r"(to) : "memory");
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
#endif

#if defined(__clang__)
#define REFERENCE_PLAIN __attribute__((noinline, unused, no_sanitize("thread")))
#else
#define REFERENCE_PLAIN __attribute__((noinline, unused, no_sanitize_thread))
#endif
/* Million rounds a second, the best of three. */
REFERENCE_PLAIN static double reference_rate(void)
{
    enum { ENTRIES = 1 << 16, ROUNDS = 200000 };
    static uint32_t next[ENTRIES];
    static volatile uint64_t kept;
    double best = 0;

    for (uint32_t i = 0; i < ENTRIES; i++) next[i] = (i * 40503u + 12345u) % ENTRIES;
    for (int repeat = 0; repeat < 3; repeat++) {
        uint64_t sum = 1;
        uint32_t at = 0;
        double begin = reference_cpu_ns(), rate;
        for (int i = 0; i < ROUNDS; i++) {
            at = next[at];
            for (int k = 0; k < 14; k++) sum = sum * 6364136223846793005u + at;
            at = (at ^ (uint32_t)(sum >> 40)) % ENTRIES;
        }
        rate = ROUNDS * 1e3 / (reference_cpu_ns() - begin);
        if (rate > best) best = rate;
        kept = sum;
    }
    (void)kept;
    return best;
}
#endif
