/* The arena: addresses, contents, limits, reuse, and what is known about an address. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include "common/devices.h"
#include "sim/memory/memory.h"
#include "tests/unit/cases.h"

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

static TraceSite line(uint32_t n) { return (TraceSite){"ex42.cu", n}; }
static void *at(const MemoryBlock *block, size_t offset)
{
    return (void *)(block->address + offset);
}

static void set_up(void) { ck_assert_int_eq(memory_init(2, 2 * GIB), 0); }

START_TEST(kinds_contents_and_alignment)
{
    static const size_t sizes[] = {1, 4, 255, 256, 257, 4096, 100000, MIB - 1, MIB, 3 * MIB + 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        MemoryBlock *device = memory_alloc(TRACE_MEM_DEVICE, 1, sizes[i], 0, line(9));
        MemoryBlock *pinned = memory_alloc(TRACE_MEM_PINNED, -1, sizes[i], 4, line(10));
        MemoryBlock *managed = memory_alloc(TRACE_MEM_MANAGED, -1, sizes[i], 0, line(11));
        ck_assert(device && pinned && managed);
        ck_assert_uint_eq(device->address % 256, 0);
        ck_assert_uint_eq(pinned->address % 4096, 0);
        ck_assert_uint_eq(managed->address % 4096, 0);
        for (size_t b = 0; b<sizes[i]; b += sizes[i]> 4096 ? 997 : 1) {
            ck_assert_uint_eq(*(unsigned char *)at(device, b), 0xA5);
            ck_assert_uint_eq(*(unsigned char *)at(pinned, b), 0);
            ck_assert_uint_eq(*(unsigned char *)at(managed, b), 0);
        }
        *(char *)at(device, sizes[i] - 1) = 1;
        *(char *)at(pinned, sizes[i] - 1) = 1;
        /* one compare tells device memory from the rest */
        ck_assert(device->address - memory_base < memory_device_span);
        ck_assert(pinned->address - memory_base >= memory_device_span);
        ck_assert(managed->address - memory_base < memory_span);
        ck_assert_int_eq(device->device, 1);
        ck_assert_int_eq(pinned->device, -1);
        ck_assert_uint_eq(pinned->flags, 4);
        ck_assert_uint_eq(device->id + 2, managed->id);
        ck_assert_uint_eq(device->made.line, 9);
    }
}
END_TEST

START_TEST(find_knows_every_byte_and_no_other)
{
    static const size_t sizes[] = {1, 256, 4096, MIB, 2 * MIB + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        MemoryBlock *a = memory_alloc(TRACE_MEM_DEVICE, 0, sizes[i], 0, line(1));
        MemoryBlock *b = memory_alloc(TRACE_MEM_DEVICE, 0, sizes[i], 0, line(2));
        ck_assert_ptr_eq(memory_find(at(a, 0)), a);
        ck_assert_ptr_eq(memory_find(at(a, sizes[i] - 1)), a);
        ck_assert_ptr_eq(memory_find(at(b, sizes[i] / 2)), b);
        ck_assert_ptr_null(memory_find(at(a, sizes[i]))); /* one past the end is in no block */
        ck_assert_ptr_null(memory_find(at(a, sizes[i] + 255)));
        ck_assert_ptr_null(memory_find((void *)(b->address - 1)));
        ck_assert_ptr_eq(memory_find_below(at(a, sizes[i] + 4)), a);
    }
    int local;
    ck_assert_ptr_null(memory_find(NULL));
    ck_assert_ptr_null(memory_find(&local));
    ck_assert_ptr_null(memory_find((void *)UINTPTR_MAX));
    ck_assert_ptr_null(memory_find_freed(&local));
}
END_TEST

START_TEST(freed_memory_is_remembered)
{
    for (int big = 0; big < 2; big++) {
        size_t bytes = big ? 4 * MIB : 512;
        MemoryBlock *block = memory_alloc(TRACE_MEM_DEVICE, 0, bytes, 0, line(9));
        void *middle = at(block, bytes / 2);
        ck_assert_ptr_null(memory_find_freed(middle));
        memory_release(block, line(30));
        ck_assert_ptr_null(memory_find(middle));
        MemoryBlock *gone = memory_find_freed(middle);
        ck_assert_ptr_eq(gone, block);
        ck_assert(gone->freed);
        ck_assert_uint_eq(gone->made.line, 9);
        ck_assert_uint_eq(gone->gone.line, 30);
        /* it is not used again at once */
        MemoryBlock *other = memory_alloc(TRACE_MEM_DEVICE, 0, bytes, 0, line(31));
        ck_assert_uint_ne(other->address, (uintptr_t)middle - bytes / 2);
        memory_release(block, line(32)); /* twice: the first counts */
        ck_assert_uint_eq(gone->gone.line, 30);
        ck_assert_ptr_eq(memory_find(at(other, 0)), other);
    }
}
END_TEST

START_TEST(device_memory_is_limited)
{
    ck_assert_uint_eq(memory_total_bytes(0), 2 * GIB);
    ck_assert_uint_eq(memory_free_bytes(0), 2 * GIB);
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 0, 2 * GIB + 1, 0, line(1)));
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 0, SIZE_MAX, 0, line(1)));
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 0, SIZE_MAX - 4096, 0, line(1)));
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 0, 0, 0, line(1)));
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 2, 16, 0, line(1)));
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, -1, 16, 0, line(1)));
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_PINNED, -1, SIZE_MAX, 0, line(1)));
    MemoryBlock *all = memory_alloc(TRACE_MEM_DEVICE, 0, 2 * GIB, 0, line(2));
    ck_assert_ptr_nonnull(all);
    ck_assert_uint_eq(memory_free_bytes(0), 0);
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 0, 1, 0, line(3)));
    ck_assert_ptr_nonnull(memory_alloc(TRACE_MEM_DEVICE, 1, GIB, 0, line(3))); /* the other device
                                                                                  is empty */
    memory_release(all, line(4));
    ck_assert_uint_eq(memory_free_bytes(0), 2 * GIB);
    ck_assert_ptr_nonnull(memory_alloc(TRACE_MEM_DEVICE, 0, 2 * GIB, 0, line(5)));
    ck_assert_uint_eq(memory_free_bytes(1), GIB);
}
END_TEST

START_TEST(the_whole_memory_again_and_again)
{
    /* the quarantine gives way rather than let an allocation fail */
    for (int i = 0; i < 40; i++) {
        MemoryBlock *a = memory_alloc(TRACE_MEM_DEVICE, 0, GIB + GIB / 2, 0, line(1));
        MemoryBlock *b = memory_alloc(TRACE_MEM_DEVICE, 0, GIB / 2, 0, line(2));
        ck_assert(a && b);
        memory_release(a, line(3));
        memory_release(b, line(4));
    }
    ck_assert_uint_eq(memory_free_bytes(0), 2 * GIB);
}
END_TEST

START_TEST(reused_memory_is_fresh_and_its_past_forgotten)
{
    uintptr_t first = 0;
    bool again = false;
    for (int i = 0; i < 40000; i++) {
        MemoryBlock *block = memory_alloc(TRACE_MEM_DEVICE, 0, 1000, 0, line(1));
        ck_assert_ptr_nonnull(block);
        if (!first) first = block->address;
        else again |= block->address == first;
        ck_assert_uint_eq(*(unsigned char *)at(block, 999), 0xA5);
        ck_assert_ptr_null(memory_find_freed(at(block, 0)));
        memset(at(block, 0), 0, 1000);
        memory_release(block, line(2));
    }
    ck_assert(again);
}
END_TEST

typedef struct Seen {
    uintptr_t last;
    size_t n;
} Seen;
static void see(const MemoryBlock *block, void *arg)
{
    Seen *seen = arg;
    ck_assert(block->address >= seen->last);
    seen->last = block->address + block->bytes;
    seen->n++;
}

START_TEST(a_hundred_thousand_live_blocks)
{
    enum { N = 100000 };
    static MemoryBlock *blocks[N];
    static size_t bytes[N];
    uint32_t random = 7;
    size_t live = 0;
    for (int i = 0; i < 3 * N; i++) {
        random = random * 1664525 + 1013904223;
        size_t k = (random >> 8) % N;
        if (blocks[k] && (random & 64)) {
            ck_assert_ptr_eq(memory_find(at(blocks[k], bytes[k] - 1)), blocks[k]);
            memory_release(blocks[k], line(2));
            blocks[k] = NULL;
            live--;
        } else if (!blocks[k]) {
            bytes[k] = 1 + (random >> 12) % 3000;
            blocks[k] = memory_alloc(random & 1 ? TRACE_MEM_DEVICE : TRACE_MEM_PINNED, 0, bytes[k],
                                     0, line(1));
            ck_assert_ptr_nonnull(blocks[k]);
            live++;
        }
    }
    ck_assert_uint_gt(live, N / 2);
    Seen seen = {0, 0};
    memory_each(see, &seen);
    ck_assert_uint_eq(seen.n, live);
    for (int k = 0; k < N; k++)
        if (blocks[k]) {
            ck_assert_ptr_eq(memory_find(at(blocks[k], 0)), blocks[k]);
            ck_assert_ptr_null(memory_find(at(blocks[k], bytes[k])));
        }
}
END_TEST

START_TEST(registered_memory_lies_anywhere)
{
    char *memory = malloc(3 * 4096);
    MemoryBlock *block = memory_register(memory, 2 * 4096, 2, line(5));
    ck_assert_ptr_nonnull(block);
    ck_assert_int_eq(block->kind, TRACE_MEM_REGISTERED);
    ck_assert_ptr_eq(memory_find(memory + 8191), block);
    ck_assert_ptr_null(memory_find(memory + 8192));
    ck_assert_ptr_null(memory_register(memory, 1, 0, line(6)));
    ck_assert_ptr_null(memory_register(memory + 4096, 8192, 0, line(6)));
    ck_assert_ptr_null(memory_register(memory - 1, 3 * 4096, 0, line(6)));
    ck_assert_ptr_null(memory_register(memory, 0, 0, line(6)));
    ck_assert_ptr_null(memory_register(memory, SIZE_MAX, 0, line(6)));
    MemoryBlock *pinned = memory_alloc(TRACE_MEM_PINNED, -1, 4096, 0, line(7));
    ck_assert_ptr_null(memory_register(at(pinned, 0), 4096, 0, line(8)));
    MemoryBlock *next = memory_register(memory + 8192, 4096, 0, line(8));
    ck_assert_ptr_nonnull(next);
    memory_release(block, line(9));
    ck_assert_uint_eq(memory_find_freed(memory)->gone.line, 9);
    for (int i = 0; i < 3000; i++) { /* remembered, but not for ever */
        block = memory_register(memory, 4096, 0, line(10));
        ck_assert_ptr_nonnull(block);
        ck_assert_ptr_null(memory_find_freed(memory));
        memory_release(block, line(11));
    }
    ck_assert_ptr_eq(memory_find(memory + 8192), next);
    memory_release(next, line(12));
    free(memory);
}
END_TEST

START_TEST_WITH(freed_big_blocks_fault, .signal = SIGSEGV)
{
    MemoryBlock *block = memory_alloc(TRACE_MEM_PINNED, -1, 2 * MIB, 0, line(1));
    volatile char *late = at(block, 5);
    *late = 1;
    memory_release(block, line(2));
    *late = 2;
}
END_TEST

START_TEST_WITH(works_under_a_limit_of_address_space, .bare = true)
{
    struct rlimit limit = {GIB, GIB};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    ck_assert_int_eq(memory_init(1, 141 * GIB), 0);
    MemoryBlock *block = memory_alloc(TRACE_MEM_DEVICE, 0, 64 * MIB, 0, line(1));
    MemoryBlock *small = memory_alloc(TRACE_MEM_PINNED, 0, 64, 0, line(1));
    ck_assert(block && small);
    *(char *)at(block, 64 * MIB - 1) = 1;
    *(char *)at(small, 63) = 1;
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 0, 2 * GIB, 0, line(2))); /* refused, not
                                                                                   fatal */
    memory_release(block, line(3));
    ck_assert_ptr_nonnull(memory_alloc(TRACE_MEM_DEVICE, 0, 512 * MIB, 0, line(4)));
}
END_TEST

START_TEST_WITH(bad_machines_are_refused, .bare = true)
{
    ck_assert_int_eq(memory_init(-1, GIB), -1);
    ck_assert_int_eq(memory_init(DEVICES_MOST + 1, GIB), -1);
    ck_assert_int_eq(memory_init(1, UINT64_MAX), -1);
    ck_assert_ptr_null(memory_alloc(TRACE_MEM_DEVICE, 0, 16, 0, line(1)));
    ck_assert_int_eq(memory_init(1, GIB), 0);
    ck_assert_int_eq(memory_init(1, GIB), -1);
}
END_TEST

CASES("memory", .before = set_up)
