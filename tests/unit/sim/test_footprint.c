/* What a kernel reads, writes and holds back: sim/exec/footprint.c against plain arrays of flags,
 * over a fake of the rest, so that the address and undefined-behaviour sanitizers can look at it,
 * too (make test-sanitize). */
#include <stdlib.h>
#include <string.h>
#include "sim/exec/exec_internal.h"
#include "sim/fiber/fiber.h"
#include "sim/exec/footprint.h"
#include "sim/exec/race.h"
#include "sim/hazard/symbols.h"
#include "sim/memory/memory.h"
#include "sim/memory/peers.h"
#include "sim/memory/variables.h"
#include "tests/unit/cases.h"

enum { PAGES = 12, DEVICE_PAGES = 8, BYTES = PAGES * FOOTPRINT_PAGE, BLOCKS = 4 };

/* ---- the rest, as far as footprint.c asks ---- */
static unsigned char arena[BYTES] __attribute__((aligned(FOOTPRINT_PAGE)));
static unsigned char outside[3 * FOOTPRINT_PAGE] __attribute__((aligned(FOOTPRINT_PAGE)));
uintptr_t memory_base, memory_span = BYTES, memory_device_span = DEVICE_PAGES * FOOTPRINT_PAGE;
bool memory_watch_written, race_on, inside_on;
char threelane_dynamic_shared[THREELANE_DYNAMIC_SHARED] __attribute__((aligned(4096)));
__thread uintptr_t threelane_static_at;
uintptr_t threelane_static_bytes;
uint32_t threelane_block_index[EXEC_PLACE] EXEC_OWN_PAGE,
    threelane_block_dim[EXEC_PLACE] EXEC_OWN_PAGE, threelane_grid_dim[EXEC_PLACE] EXEC_OWN_PAGE;

static MemoryBlock blocks[BLOCKS];
static unsigned n_blocks;

MemoryBlock *memory_find(const void *address)
{
    for (unsigned i = 0; i < n_blocks; i++)
        if ((uintptr_t)address - blocks[i].address < blocks[i].bytes) return &blocks[i];
    return NULL;
}

void memory_each(void (*visit)(const MemoryBlock *, void *), void *arg)
{
    for (unsigned i = 0; i < n_blocks; i++) visit(&blocks[i], arg);
}

void memory_each_open(void (*visit)(uintptr_t begin, uintptr_t end, void *), void *arg)
{
    (void)visit, (void)arg;
}
void memory_written(const void *address, size_t bytes) { (void)address, (void)bytes; }

/* Filled, so that nothing relies on zeros. */
void *exec_allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    ck_assert_ptr_nonnull(memory);
    return memset(memory, 0x5a, bytes);
}

/* Device 0 has what is in place on the second page outside on the arena's page OWN as well. */
enum { OWN = 3 };
static bool has_own;
bool variables_find(uintptr_t address, uintptr_t *in_place, int *device)
{
    if (!has_own || (address - memory_base) / FOOTPRINT_PAGE != OWN) return false;
    *in_place = (uintptr_t)outside + FOOTPRINT_PAGE + address % FOOTPRINT_PAGE;
    *device = 0;
    return true;
}
bool peers_reach(int device, const MemoryBlock *block) { return device == 0 && block; }
bool exec_is_closure(uintptr_t address) { return address == 1; }
uintptr_t cluster_base, cluster_bytes;
bool fiber_owns(uintptr_t address, bool *guard) { return (void)address, *guard = false; }
bool symbols_know(uintptr_t begin, uintptr_t end) { return begin > end; }
void symbols_each(uintptr_t begin, uintptr_t end, void (*visit)(const Variable *, void *),
                  void *arg)
{
    (void)begin, (void)end, (void)visit, (void)arg;
}
void race_page(FootprintPage *page) { page->only_read = page->only_written = true; }
void race_page_gone(FootprintPage *page) { page->cells = page->byte_cells = NULL; }
void touch_changed(uintptr_t page) { (void)page; }
void touch_forget(void) {}
void touch_tell(void) {}

static unsigned seed;
static unsigned next(unsigned below)
{
    seed = seed * 1664525 + 1013904223;
    return (unsigned)((unsigned long long)(seed >> 8) * below >> 24);
}

static void set_up(void)
{
    memory_base = (uintptr_t)arena;
    memory_watch_written = false;
    for (unsigned i = 0; i < BYTES; i++) arena[i] = (unsigned char)(i * 7);
    n_blocks = 0;
    has_own = false;
    exec_only_variables((char *)outside, (char *)outside + sizeof outside, NULL, NULL);
    footprint_init();
}

static void block(unsigned from, unsigned to)
{
    blocks[n_blocks++] = (MemoryBlock){.address = (uintptr_t)arena + from, .bytes = to - from};
}

/* ---- a kernel, and what is expected of it, byte for byte ---- */
typedef struct Flags {
    bool read, held, plain, polled, landed;
    unsigned char beneath; /* what others see */
} Flags;
static Flags flags[BYTES];
static Footprint footprint;

static void expect_sets(void)
{
    HazardBytes sets[HAZARD_TOUCHES] = {0}, wanted[HAZARD_TOUCHES] = {0};
    uint64_t reads = 0, writes = 0, read, written;
    footprint_sets(&footprint, 0, sets);
    for (unsigned i = 0; i < BYTES; i++) {
        const Flags *f = &flags[i];
        uintptr_t at = (uintptr_t)arena + i;
        if (f->read) bytes_add_range(&wanted[HAZARD_READ], at, 1);
        if (f->held || f->plain) bytes_add_range(&wanted[HAZARD_WRITE], at, 1);
        if (f->polled) bytes_add_range(&wanted[HAZARD_ATOMIC_READ], at, 1);
        if (f->landed) bytes_add_range(&wanted[HAZARD_ATOMIC_WRITE], at, 1);
        reads += f->read || f->polled;
        writes += f->held || f->plain || f->landed;
    }
    for (int i = 0; i < HAZARD_TOUCHES; i++) {
        ck_assert(bytes_covers(&sets[i], &wanted[i]));
        ck_assert(bytes_covers(&wanted[i], &sets[i]));
        bytes_release(&sets[i]);
        bytes_release(&wanted[i]);
    }
    footprint_count(&footprint, &read, &written);
    ck_assert_uint_eq(read, reads);
    ck_assert_uint_eq(written, writes);
}

static void one_access(void)
{
    unsigned bytes = next(4) ? 1u << next(5) : 1 + next(9000), at = next(BYTES), what = next(9);
    uintptr_t bad;
    if (bytes > BYTES - at) bytes = BYTES - at;
    void *place = arena + at;
    bool fine = what < 3   ? footprint_read((uintptr_t)place, bytes, &bad)
                : what < 6 ? footprint_write((uintptr_t)place, bytes, &bad)
                : what < 7 ? footprint_poll((uintptr_t)place, bytes, &bad)
                           : footprint_land((uintptr_t)place, bytes, what == 7, &bad);
    ck_assert(fine);
    for (unsigned i = at; i < at + bytes; i++) {
        Flags *f = &flags[i];
        if (what < 3) f->read = true;
        else if (what == 6) f->polled = true;
        if (what < 3 || what == 6) continue;
        if (what < 6) {
            f->held = true;
        } else {
            f->plain |= f->held;
            f->held = false;
            f->landed = true;
        }
        arena[i] = (unsigned char)next(256);
        if (!f->held) f->beneath = arena[i];
    }
}

static void fence(void)
{
    footprint_fence();
    for (unsigned i = 0; i < BYTES; i++) {
        flags[i].plain |= flags[i].held;
        if (flags[i].held) flags[i].beneath = arena[i];
        flags[i].held = false;
    }
}

/* It is set aside, others write, and it comes back. */
static void away(bool others)
{
    static unsigned char mine[BYTES];
    memcpy(mine, arena, BYTES);
    footprint_leave(&footprint, false);
    for (unsigned i = 0; i < BYTES; i++)
        ck_assert_uint_eq(arena[i], flags[i].held ? flags[i].beneath : mine[i]);
    for (unsigned i = 0, n = others ? next(400) : 0; i < n; i++) {
        unsigned at = next(BYTES);
        arena[at] = flags[at].beneath = (unsigned char)next(256);
        if (!flags[at].held) mine[at] = arena[at];
    }
    footprint_enter(&footprint);
    ck_assert(!memcmp(mine, arena, BYTES));
}

static void kernel(unsigned number, bool others)
{
    seed = number;
    for (unsigned i = 0; i < BYTES; i++) flags[i] = (Flags){.beneath = arena[i]};
    footprint_enter(&footprint);
    for (unsigned n = next(60); n; n--) {
        one_access();
        if (!next(12)) fence();
        if (!next(12)) away(others);
    }
    bool any = false;
    for (unsigned i = 4000; i < 4200; i++)
        any = any || flags[i].held || flags[i].plain || flags[i].landed;
    ck_assert_uint_eq(footprint_has_written((uintptr_t)arena + 4000, 200), any);
}

/* Its held stores are seen by itself alone, and by everybody once it has ended. */
START_TEST(held_stores_land_at_the_end)
{
    static unsigned char mine[BYTES];
    block(0, BYTES);
    for (unsigned number = 1; number <= 60; number++) {
        kernel(number, true);
        memcpy(mine, arena, BYTES);
        footprint_leave(&footprint, false);
        expect_sets();
        footprint_publish(&footprint);
        ck_assert(!memcmp(mine, arena, BYTES));
        ck_assert_ptr_null(footprint.pages);
    }
}
END_TEST

/* What it did can be taken back: memory is as it was before, landed stores included. */
START_TEST(a_kernel_can_be_undone)
{
    static unsigned char before[BYTES];
    block(0, BYTES);
    for (unsigned number = 1; number <= 40; number++) {
        memcpy(before, arena, BYTES);
        footprint_keep(true);
        kernel(number, false);
        footprint_leave(&footprint, false);
        ck_assert(footprint_undo(&footprint));
        ck_assert(!memcmp(before, arena, BYTES));
        footprint_keep(false);
        ck_assert(!footprint_undo(&footprint));
    }
}
END_TEST

/* The first byte that is nobody's is named, wherever in a line or page a block ends. */
START_TEST(bad_bytes_are_found)
{
    static const struct {
        unsigned from, to;
    } places[] = {{0, 100}, {256, 256 + 4096}, {8192, 8193}, {12288, 3 * 4096 + 4095}};
    for (unsigned i = 0; i < BLOCKS; i++) block(places[i].from, places[i].to);
    footprint_enter(&footprint);
    for (unsigned i = 0; i < BLOCKS; i++) {
        unsigned from = places[i].from, to = places[i].to;
        uintptr_t base = (uintptr_t)arena, bad = 0;
        ck_assert(footprint_read(base + from, to - from, &bad));
        ck_assert(footprint_write(base + to - 1, 1, &bad));
        ck_assert(!footprint_read(base + to - 1, 2, &bad));
        ck_assert_uint_eq(bad, base + to);
        ck_assert(!footprint_write(base + from, to - from + 700, &bad));
        ck_assert_uint_eq(bad, base + to);
        ck_assert(!footprint_land(base + to + 3, 1, false, &bad));
        ck_assert_uint_eq(bad, base + to + 3);
    }
    footprint_leave(&footprint, false);
    footprint_free(&footprint);
}
END_TEST

/* A block that is freed while the kernel waits takes its held stores with it. */
START_TEST(stores_to_freed_memory_are_dropped)
{
    uintptr_t bad;
    block(0, 4096);
    block(4096, 8192);
    footprint_enter(&footprint);
    ck_assert(footprint_write((uintptr_t)arena + 4000, 200, &bad));
    memset(arena + 4000, 0xee, 200);
    footprint_leave(&footprint, false);
    n_blocks = 1;
    memset(arena + 4096, 0x11, 4096); /* somebody else's now */
    footprint_publish(&footprint);
    ck_assert_uint_eq(arena[4000], 0xee);
    ck_assert_uint_eq(arena[4095], 0xee);
    ck_assert_uint_eq(arena[4096], 0x11);
}
END_TEST

/* Device memory that nobody has written is noticed when it is read, once; what a kernel writes has
 * been written for the next one. */
START_TEST(fresh_bytes_are_noticed)
{
    uintptr_t bad, base = (uintptr_t)arena;
    memory_watch_written = true;
    block(0, 5000);
    blocks[0].written = written_new(blocks[0].address, blocks[0].bytes);
    written_add(blocks[0].written, base + 10, 20);

    footprint_enter(&footprint);
    ck_assert(footprint_read(base + 10, 20, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 0);
    ck_assert(footprint_read(base + 8, 100, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 80);
    ck_assert_uint_eq(footprint_fresh.first, base + 8);
    ck_assert_uint_eq(footprint_fresh.last, base + 107);
    footprint_told(&(FootprintFresh){base + 8, base + 107, 80});
    ck_assert(footprint_read(base + 8, 100, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 0);
    ck_assert(footprint_write(base + 4090, 20, &bad));
    ck_assert(footprint_read(base + 4090, 20, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 0); /* it has written them itself */
    ck_assert(footprint_poll(base + 4089, 2, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 1);
    footprint_leave(&footprint, false);
    footprint_publish(&footprint);

    footprint_enter(&footprint);
    ck_assert(footprint_read(base + 4090, 20, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 0);
    ck_assert(footprint_read(base + 8, 3, &bad)); /* told once, of that kernel */
    ck_assert_uint_eq(footprint_fresh.count, 2);
    ck_assert(footprint_land(base + 200, 4, true, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 4);
    ck_assert(footprint_land(base + 300, 4, false, &bad));
    ck_assert_uint_eq(footprint_fresh.count, 0); /* it does not use what was there */
    footprint_leave(&footprint, false);
    footprint_free(&footprint);
    written_free(blocks[0].written);
}
END_TEST

static unsigned n_told;
static uintptr_t told_at;
static void tell(void *arg, uintptr_t first, uint64_t read, uint64_t written)
{
    ck_assert_ptr_eq(arg, &n_told);
    ck_assert_uint_eq(read, 8);
    ck_assert_uint_eq(written, 4);
    told_at = first;
    n_told++;
}

/* The program's variables and registered memory lie outside the arena: the same holds there. */
START_TEST(memory_outside_the_arena)
{
    uintptr_t bad, at = (uintptr_t)outside + FOOTPRINT_PAGE + 60;
    static char private[64];
    memset(outside, 1, sizeof outside);
    block(0, BYTES);
    footprint_enter(&footprint);
    ck_assert(footprint_read(at, 8, &bad));
    ck_assert(footprint_write(at, 4, &bad));
    memset((void *)at, 2, 4);
    ck_assert(footprint_read((uintptr_t)arena, 8, &bad));      /* of the device: not told of */
    ck_assert(!footprint_write((uintptr_t) private, 4, &bad)); /* not among the variables */
    ck_assert_ptr_null(footprint_page((uintptr_t)threelane_dynamic_shared + 100));
    ck_assert_ptr_null(footprint_page((uintptr_t)threelane_block_index));
    footprint_leave(&footprint, false);
    ck_assert_uint_eq(outside[FOOTPRINT_PAGE + 60], 1);
    footprint_elsewhere(&footprint, tell, &n_told);
    ck_assert_uint_eq(n_told, 1);
    ck_assert_uint_eq(told_at, at);

    footprint_enter(&footprint); /* and comes back */
    ck_assert_uint_eq(outside[FOOTPRINT_PAGE + 60], 2);
    ck_assert(footprint_has_written(at + 3, 1));
    ck_assert(!footprint_has_written(at + 4, 1));
    footprint_leave(&footprint, false);
    footprint_free(&footprint);
}
END_TEST

/* A variable by its own device's address and in place: the same bytes, on one page. */
START_TEST(own_variables_in_place)
{
    uintptr_t bad, name = (uintptr_t)outside + FOOTPRINT_PAGE + 8,
                   own = (uintptr_t)arena + OWN * FOOTPRINT_PAGE + 8;
    HazardBytes sets[HAZARD_TOUCHES] = {0};
    uint64_t read, written;
    memset(outside, 1, sizeof outside);
    block(0, BYTES);
    blocks[0].variables = has_own = true;
    footprint_enter(&footprint);
    ck_assert(footprint_write(name, 4, &bad));
    ck_assert(footprint_write(own + 2, 4, &bad));
    ck_assert_ptr_eq(footprint_page(own), footprint_page(name));
    ck_assert(footprint_has_written(own, 1) && footprint_has_written(name + 5, 1));
    footprint_leave(&footprint, false);
    footprint_enter(&footprint); /* and comes back */
    ck_assert(footprint_has_written(own, 1));
    ck_assert_ptr_eq(footprint_page(own), footprint_page(name));
    footprint_leave(&footprint, false);

    footprint_count(&footprint, &read, &written);
    ck_assert_uint_eq(written, 6);
    footprint_sets(&footprint, 0, sets);
    ck_assert_uint_eq(bytes_count(&sets[HAZARD_WRITE]), 6);
    for (int i = 0; i < HAZARD_TOUCHES; i++) bytes_release(&sets[i]);
    footprint_free(&footprint);

    footprint.device = 1; /* to another device it is only memory of that one */
    footprint_enter(&footprint);
    footprint_read(own, 4, &bad);
    ck_assert_ptr_ne(footprint_page(own), footprint_page(name));
    footprint_leave(&footprint, false);
    footprint_free(&footprint);
}
END_TEST

CASES("footprint", .before = set_up)
