/* Sets of bytes against plain arrays of flags, and what they may cost. */
#include "sim/hazard/byteset.h"
#include "tests/unit/cases.h"
#include <stdlib.h>
#include <string.h>

enum { BYTES = 6 * BYTES_PAGE };
#define BASE ((uintptr_t)BYTES_PAGE * 100)

static unsigned seed;
static unsigned next(unsigned below)
{
    seed = seed * 1664525 + 1013904223;
    return (unsigned)((unsigned long long)(seed >> 8) * below >> 24);
}

/* Ranges and rows in order of address, as the rooms add them. */
static HazardBytes make(unsigned char *flags)
{
    HazardBytes set = {0};
    memset(flags, 0, BYTES);
    for (unsigned at = next(300); at < BYTES;) {
        unsigned n = next(4) ? next(50) + 1 : next(9000) + 1, rows = next(5) ? 1 : next(40) + 1;
        unsigned pitch = n + next(100);
        if (at + (rows - 1) * pitch + n > BYTES) break;
        bytes_add_rows(&set, BASE + at, pitch, n, rows);
        for (unsigned row = 0; row < rows; row++) memset(flags + at + row * pitch, 1, n);
        at += (rows - 1) * pitch + n + next(200);
    }
    bytes_trim(&set);
    return set;
}

START_TEST(agree_with_flags)
{
    static unsigned char a_flags[BYTES], b_flags[BYTES];
    for (unsigned round = 1; round < 500; round++) {
        seed = round;
        HazardBytes a = make(a_flags), b = make(b_flags);
        unsigned from = next(BYTES), to = from + next(BYTES - from) + 1;
        if (round % 3 == 0) from = 0, to = BYTES;
        uint64_t count = 0, both = 0;
        uintptr_t first = 0, last = 0;
        bool covers = true, meets = false;
        for (unsigned i = 0; i < BYTES; i++) {
            count += a_flags[i];
            covers = covers && (a_flags[i] || !b_flags[i]);
            meets = meets || (a_flags[i] && b_flags[i]);
            if (!a_flags[i] || !b_flags[i] || i < from || i >= to) continue;
            if (!both++) first = BASE + i;
            last = BASE + i;
        }
        BytesMeet meet;
        ck_assert_uint_eq(bytes_count(&a), count);
        ck_assert_int_eq(bytes_meet(&a, &b), meets);
        ck_assert_int_eq(bytes_covers(&a, &b), covers);
        ck_assert(bytes_covers(&a, &a));
        ck_assert_int_eq(bytes_meet_in(&a, &b, BASE + from, BASE + to, &meet), both != 0);
        ck_assert_uint_eq(meet.count, both);
        if (both) {
            ck_assert_uint_eq(meet.first, first);
            ck_assert_uint_eq(meet.last, last);
        }
        bytes_release(&a);
        bytes_release(&b);
    }
}
END_TEST

/* A set takes next to nothing where memory is used regularly, and never more than a quarter of what
 * is touched as long as half of it is. */
START_TEST(memory)
{
    enum { MANY = 1 << 20 };
    static const struct {
        size_t item, stride, most;
    } cases[] = {{MANY, MANY, 4096}, {4, 8, 4096}, {4, 32, 4096},   {8, 12, 16384},
                 {4, 12, 16384},     {1, 2, 4096}, {20, 36, 16384}, {99, 200, MANY / 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        HazardBytes set = {0};
        bytes_add_rows(&set, BASE, cases[i].stride, cases[i].item, MANY / cases[i].stride);
        bytes_trim(&set);
        ck_assert_uint_eq(bytes_count(&set), MANY / cases[i].stride * cases[i].item);
        ck_assert_uint_le(bytes_memory(&set), cases[i].most);
        bytes_release(&set);
    }
}
END_TEST

CASES("bytes")
