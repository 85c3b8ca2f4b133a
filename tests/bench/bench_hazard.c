/* What the hazard checker's sets cost: two footprints of 64 MiB compared, for the ways in which
 * kernels walk through memory, and what they take for each byte that was touched. */
#include "sim/hazard/byteset.h"
#include "sim/host/raw.h"
#include "sim/memory/written.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* the runtime's free() (sim/host/malloced.h) */
void malloced_free(void *block);
void malloced_free(void *block) { free(block); }

enum { SPAN = 64 << 20, ROUNDS = 9 };
#define BASE ((uintptr_t)1 << 40)

static double seconds(void)
{
    struct timespec now; /* the real clock: clock_gettime may be the virtual one */
    raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static HazardBytes strided(size_t from, size_t item, size_t stride)
{
    HazardBytes set = {0};
    bytes_add_rows(&set, BASE + from, stride, item, SPAN / stride - 1);
    bytes_trim(&set);
    return set;
}

static double compare(const HazardBytes *a, const HazardBytes *b)
{
    double best = 1e9;
    BytesMeet meet;
    for (int i = 0; i < ROUNDS; i++) {
        double begin = seconds();
        bytes_meet_in(a, b, 0, UINTPTR_MAX, &meet);
        double took = seconds() - begin;
        if (took < best) best = took;
    }
    return best * 1e3;
}

int main(void)
{
    static const struct {
        const char *what;
        size_t item, stride;
    } cases[] = {{"every second word", 4, 8},
                 {"a member of a struct of 12", 4, 12},
                 {"rows of 1000 in 1024", 1000, 1024},
                 {"two of three words", 8, 12},
                 {"members of a struct of 200", 104, 200}};
    double slowest = 0, most = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t item = cases[i].item, stride = cases[i].stride;
        HazardBytes a = strided(0, item, stride),
                    b = strided(stride - item, item, stride); /* apart,
                                                                 or
                                                                 nearly
                                                               */
        HazardBytes c = strided(0, item, stride);
        double apart = compare(&a, &b), same = compare(&a, &c);
        if (apart > slowest) slowest = apart;
        if (same > slowest) slowest = same;
        double takes = (double)bytes_memory(&a) / (double)bytes_count(&a);
        if (stride <= 2 * item && takes > most) most = takes;
        bytes_release(&a);
        bytes_release(&b);
        bytes_release(&c);
    }
    printf("%-46s %8.2f %-12s target <= 1\n", "hazards: two strided footprints of 64 MiB", slowest,
           "ms");
    printf("%-46s %8.3f %-12s target <= 0.25\n", "hazards: sets, per byte touched", most, "bytes");
    Written *w = written_new(BASE, SPAN);
    for (size_t at = 0; at + 8 <= SPAN; at += 12) written_add(w, BASE + at, 8);
    printf("%-46s %8.3f %-12s target <= 0.25\n", "hazards: what was written, per byte",
           (double)written_memory(w) / (SPAN * 2.0 / 3), "bytes");
    written_free(w);
    return 0;
}
