/* trace_random.h - random traces, the same ones for the same seed. */
#ifndef TESTS_UNIT_TRACE_RANDOM_H
#define TESTS_UNIT_TRACE_RANDOM_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static uint32_t seed;
static inline uint32_t chance(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Before which operation a second device becomes known, some of whose kernels follow; 0: never. */
static uint32_t second_device;

/* A trace of n kernels and copies; disorder: how far starts go back and forth; how many run at
 * once. */
static inline char *random_text(uint32_t n, uint32_t disorder, uint32_t most_long, bool open_ends)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("threelane\t1\ndevice\t1\tG\nengine\t1\t1\th2d\tH\nengine\t2\t1\tcompute\tC\nengine\t3\t1"
          "\td2h\tD\nthread\t1\tmain\t-\n"
          "stream\t1\t1\tlegacy\t0\t0\t-\t-\nstream\t2\t1\tblocking\t0\t0\t-\t-"
          "\nstream\t3\t1\tblocking\t0\t0\t-\t-\n",
          out);
    uint64_t at = 1000;
    for (uint32_t id = 1; id <= n; id++) {
        static const char *const kinds[] = {"h2d", "kernel", "d2h"};
        uint32_t kind = chance(3);
        bool other = second_device && id >= second_device && chance(3) == 0;
        if (id == second_device) fputs("device\t2\tH\nengine\t4\t2\tcompute\tC\n", out);
        if (other) kind = 1;
        at += chance(50);
        uint64_t start = at + chance(disorder + 1),
                 end = start + (chance(4) ? chance(most_long + 1) : 0);
        fprintf(out, "op\t%u\t0\t%s\t%d\t%u\t%llu\t0\t-\t-\t-\t-\t0\t0\tk\n", id, kinds[kind],
                1 + other, 1 + chance(3), (unsigned long long)at);
        if (open_ends && chance(20) == 0) continue;
        fprintf(out, "start\t%u\t%llu\t%u\n", id, (unsigned long long)start, other ? 4 : kind + 1);
        if (open_ends && chance(20) == 0) continue;
        if (chance(50) == 0) end = start > 30 ? start - 30 : 0; /* ends before it starts */
        fprintf(out, "end\t%u\t%llu\n", id, (unsigned long long)end);
    }
    fclose(out);
    return text;
}
#endif
