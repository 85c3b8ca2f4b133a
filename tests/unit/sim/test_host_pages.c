/* What is known of pageable memory: pages that nobody has touched, and memory copied again. */
#include <string.h>
#include <sys/mman.h>
#include "sim/memory/host_pages.h"
#include "tests/unit/cases.h"

enum { PAGE = HOST_PAGES_BYTES, MIB = 1 << 20 };

START_TEST(untouched_pages_are_counted)
{
    size_t bytes = 3000 * (size_t)PAGE; /* more than are asked about at once */
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(memory != MAP_FAILED);
    madvise(memory, bytes, MADV_NOHUGEPAGE);
    ck_assert_uint_eq(host_pages_fresh(memory, bytes), 3000);
    memory[5 * PAGE + 7] = 1;
    memory[2999 * PAGE] = 1;
    ck_assert_uint_eq(host_pages_fresh(memory, bytes), 2998);
    /* parts of pages count as pages */
    ck_assert_uint_eq(host_pages_fresh(memory + 4 * PAGE + 1, PAGE), 1);
    ck_assert_uint_eq(host_pages_fresh(memory + 5 * PAGE + 1, 1), 0);
    ck_assert_uint_eq(host_pages_fresh(memory, 0), 0);
    munmap(memory, bytes);
    /* nothing is known of what is not there */
    ck_assert_uint_eq(host_pages_fresh(memory, bytes), 0);
}
END_TEST

START_TEST(memory_that_is_copied_again)
{
    static char a[MIB], b[MIB];
    ck_assert(!host_pages_read(a, MIB, 8 * MIB) && !host_pages_read(a, MIB, 8 * MIB));
    ck_assert(host_pages_read(a, MIB, 8 * MIB));
    ck_assert(!host_pages_read(a, MIB / 2, 8 * MIB)); /* a part of it is another source */
    ck_assert(host_pages_read(a, MIB, 8 * MIB));
    /* written in between */
    host_pages_written(a + MIB - 1, 1);
    ck_assert(!host_pages_read(a, MIB, 8 * MIB));
    ck_assert(!host_pages_read(a, MIB, 8 * MIB));
    host_pages_written(b, MIB);
    ck_assert(host_pages_read(a, MIB, 8 * MIB));
    /* too much of other memory in between */
    for (int i = 0; i < 8; i++) host_pages_read(b, MIB, 100 * MIB);
    ck_assert(!host_pages_read(a, MIB, 8 * MIB));
}
END_TEST

CASES("host pages")
