/* Which bytes have been written: against a plain array of flags. */
#include "sim/memory/written.h"
#include "tests/unit/cases.h"
#include <stdlib.h>
#include <string.h>

enum { BYTES = 5 * 4096 + 100, START = 7 };
#define BASE ((uintptr_t)0x10000 + START)

static unsigned seed;
static unsigned next(unsigned below)
{
    seed = seed * 1664525 + 1013904223;
    return (unsigned)((unsigned long long)(seed >> 8) * below >> 24);
}

static void same(const Written *w, const unsigned char *flags, unsigned from, unsigned to)
{
    uintptr_t at = BASE + from, gap, gap_end;
    unsigned k = from;
    bool good = true;
    while (at < BASE + to && written_gap(w, at, BASE + to, &gap, &gap_end)) {
        ck_assert(gap >= at && gap_end > gap && gap_end <= BASE + to);
        for (; k < gap - BASE; k++) good = good && flags[k];
        for (; k < gap_end - BASE; k++) good = good && !flags[k];
        at = gap_end;
    }
    for (; k < to; k++) good = good && flags[k];
    ck_assert(good);
}

START_TEST(agrees_with_flags)
{
    static unsigned char flags[BYTES];
    for (seed = 1; seed < 100;) {
        unsigned round = seed;
        Written *w = written_new(BASE, BYTES);
        memset(flags, 0, sizeof flags);
        for (int i = 0; i < 30; i++) {
            unsigned from = next(BYTES), n = next(i % 3 ? 40 : 9000) + 1;
            if (n > BYTES - from) n = BYTES - from;
            written_add(w, BASE + from, n);
            memset(flags + from, 1, n);
            from = next(BYTES);
            same(w, flags, from, from + next(BYTES - from) + 1);
        }
        same(w, flags, 0, BYTES);
        ck_assert_int_eq(written_all(w), memchr(flags, 0, sizeof flags) == NULL);
        written_free(w);
        seed = round + 1;
    }
}
END_TEST

START_TEST(pages_of_bits)
{
    Written *w = written_new(BASE, BYTES);
    uint64_t bits[WRITTEN_WORDS] = {0};
    uintptr_t gap, gap_end;
    bits[0] = ~0ull; /* the bytes before the block are left out */
    written_add_page(w, BASE / 4096, bits);
    ck_assert(written_gap(w, BASE, BASE + BYTES, &gap, &gap_end));
    ck_assert_uint_eq(gap, 0x10000 + 64);
    ck_assert_uint_eq(gap_end, BASE + BYTES);
    memset(bits, 0xff, sizeof bits);
    for (uintptr_t page = BASE / 4096; page <= (BASE + BYTES) / 4096; page++)
        written_add_page(w, page, bits);
    ck_assert(written_all(w));
    ck_assert(!written_gap(w, BASE, BASE + BYTES, &gap, &gap_end));
    written_add_page(w, 1, bits); /* of no concern */
    written_free(w);
}
END_TEST

START_TEST(copies)
{
    Written *from = written_new(BASE, BYTES), *to = written_new(0x900000, BYTES);
    uintptr_t gap, gap_end;
    written_add(from, BASE + 10, 100);
    written_add(from, BASE + 5000, 1);
    written_copy(to, 0x900000 + 3, from, BASE, 8000);
    ck_assert(written_gap(to, 0x900000, 0x900000 + BYTES, &gap, &gap_end));
    ck_assert_uint_eq(gap, 0x900000);
    ck_assert_uint_eq(gap_end, 0x900000 + 13);
    ck_assert(written_gap(to, 0x900000 + 113, 0x900000 + BYTES, &gap, &gap_end));
    ck_assert_uint_eq(gap, 0x900000 + 113);
    ck_assert_uint_eq(gap_end, 0x900000 + 5003);
    written_copy(to, 0x900000, NULL, 0x5000, BYTES);
    ck_assert(written_all(to));
    written_free(from);
    written_free(to);
}
END_TEST

/* A whole block, or one in order of address, takes next to nothing; any pattern a quarter of its
 * bytes at most. */
START_TEST(memory)
{
    enum { MANY = 64 << 20 };
    Written *w = written_new(0x10000000, MANY);
    written_add(w, 0x10000000, MANY - 1);
    ck_assert_uint_le(written_memory(w), MANY / 256);
    written_free(w);
    w = written_new(0x10000000, MANY / 16);
    for (uintptr_t at = 0; at < MANY / 16; at += 64) written_add(w, 0x10000000 + at, 4);
    ck_assert_uint_le(written_memory(w), MANY / 16 / 4);
    written_free(w);
}
END_TEST

CASES("written")
