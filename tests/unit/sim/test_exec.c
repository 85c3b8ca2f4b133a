/* Tests of the executor: kernels are C functions here that call the access hooks by hand, as
 * instrumented code does. */
#include <stdlib.h>
#include <string.h>
#include "sim/exec/exec.h"
#include "sim/include/threelane/self.h"
#include "sim/memory/memory.h"
#include "tests/unit/cases.h"

extern uint32_t threelane_block_index[], threelane_block_dim[];
void __tsan_read4(void *p);
void __tsan_write4(void *p);
void __tsan_write1(void *p);
void __tsan_volatile_read4(void *p);
void __tsan_volatile_write4(void *p);
void __tsan_write_range(void *p, size_t bytes);
int __tsan_atomic32_fetch_add(volatile int *p, int value, int order);
int __tsan_atomic32_load(const volatile int *p, int order);

typedef struct Kernel {
    void (*body)(struct Kernel *);
    int *p, *q;
    int n;
} Kernel;

/* What tl::run does. */
static void run_threads(void *closure)
{
    Kernel *kernel = closure;
    unsigned *t = threelane_self.thread, x = t[0], y = t[1], z = t[2];
    for (; z < threelane_block_dim[2]; z++, y = 0) {
        for (; y < threelane_block_dim[1]; y++, x = 0) {
            threelane_self.row = threelane_block_dim[0] * (y + threelane_block_dim[1] * z);
            for (; x < threelane_block_dim[0]; x++) {
                t[0] = x, t[1] = y, t[2] = z;
                kernel->body(kernel);
                if (threelane_lost()) return;
            }
        }
    }
}

static ExecRun *start(Kernel *kernel, uint32_t grid, uint32_t block)
{
    ExecLaunch launch = {.name = "kernel",
                         .grid = {grid, 1, 1},
                         .block = {block, 1, 1},
                         .cooperative = true,
                         .run_block = run_threads,
                         .closure = kernel};
    ExecClock clock = {.start_ns = 1000, .sm_clock_ghz = 2, .read_ns = 10};
    return exec_start(&launch, &clock);
}

static int *device(size_t bytes)
{
    if (!memory_base) ck_assert_int_eq(memory_init(1, 1 << 30), 0);
    int *p = (int *)memory_alloc(TRACE_MEM_DEVICE, 0, bytes, 0, (TraceSite){0})->address;
    memset(p, 0, bytes);
    return p;
}

static void store(int *p, int value)
{
    __tsan_write4(p);
    *p = value;
}
static int load(int *p)
{
    __tsan_read4(p);
    return *p;
}

static void finish(ExecRun *run)
{
    exec_publish(run);
    exec_free(run);
}

static unsigned rank(void) { return threelane_self.thread[0]; }
static unsigned global_rank(void)
{
    return threelane_block_index[0] * threelane_block_dim[0] + rank();
}

static void twice(Kernel *k)
{
    int i = (int)global_rank();
    if (i < k->n) store(&k->q[i], load(&k->p[i]) * 2);
}

START_TEST(stores_are_held_back)
{
    Kernel kernel = {twice, device(4000), device(4000), 1000};
    for (int i = 0; i < 1000; i++) kernel.p[i] = i;
    ExecRun *run = start(&kernel, 4, 256);
    ck_assert_int_eq(run->state, EXEC_DONE);
    for (int i = 0; i < 1000; i++) ck_assert_int_eq(kernel.q[i], 0);
    ck_assert_uint_eq(run->bytes_read, 4000);
    ck_assert_uint_eq(run->bytes_written, 4000);
    ck_assert_uint_eq(run->accesses, 2000);
    ck_assert(!run->clock_driven);
    exec_publish(run);
    for (int i = 0; i < 1000; i++) ck_assert_int_eq(kernel.q[i], 2 * i);
    exec_free(run);
}
END_TEST

/* Who promises to say when, leaves stores in memory as long as nobody can see them. */
START_TEST(stores_are_held_back_when_somebody_may_look)
{
    Kernel kernel = {twice, device(4000), device(4000), 1000};
    kernel.p[999] = 4;
    exec_settles_later = true;
    ExecRun *run = start(&kernel, 4, 256);
    exec_settle(run);
    exec_settle_for_host();
    ck_assert_int_eq(kernel.q[999], 8);
    exec_settle(NULL);
    ck_assert_int_eq(kernel.q[999], 0);
    exec_publish(run);
    ck_assert_int_eq(kernel.q[999], 8);
    exec_free(run);

    run = start(&kernel, 4, 256); /* another kernel looks */
    kernel.p[999] = 5;
    ExecRun *other = start(&kernel, 4, 256);
    ck_assert_int_eq(kernel.q[999], 10);
    exec_publish(other);
    exec_publish(run);
    ck_assert_int_eq(kernel.q[999], 8);
    exec_free(run);
    exec_free(other);

    run = start(&kernel, 4, 256); /* it is never published */
    exec_free(run);
    ck_assert_int_eq(kernel.q[999], 8);
}
END_TEST

static void put(Kernel *k) { store(k->p, k->n); }

START_TEST(last_to_end_wins)
{
    int *p = device(4);
    Kernel a = {put, p, NULL, 1}, b = {put, p, NULL, 2};
    ExecRun *first = start(&a, 1, 1), *second = start(&b, 1, 1);
    ck_assert_int_eq(*p, 0);
    finish(second);
    ck_assert_int_eq(*p, 2);
    finish(first);
    ck_assert_int_eq(*p, 1);
}
END_TEST

START_TEST(copies_go_beneath)
{
    int *p = device(64), from[16];
    for (int i = 0; i < 16; i++) from[i] = 100 + i;
    Kernel kernel = {put, p + 3, NULL, 7};
    ExecRun *run = start(&kernel, 1, 1);
    exec_copy(p, from, sizeof from);
    ck_assert_int_eq(p[3], 103);
    finish(run);
    ck_assert_int_eq(p[3], 7);
    ck_assert_int_eq(p[2], 102);
    ck_assert_int_eq(p[4], 104);
    exec_set(p, 0, 1, 64);
    ck_assert_int_eq(p[3], 0);
}
END_TEST

static void one_byte(Kernel *k)
{
    __tsan_write1((char *)k->p + 2);
    ((char *)k->p)[2] = 9;
}

START_TEST(neighbouring_bytes_are_left_alone)
{
    int *p = device(4);
    Kernel kernel = {one_byte, p, NULL, 0};
    ExecRun *run = start(&kernel, 1, 1);
    *p = 0x01010101;
    finish(run);
    ck_assert_int_eq(*p, 0x01090101);
}
END_TEST

static void mixed(Kernel *k)
{
    store(&k->p[0], 1);
    threelane_fence();
    store(&k->p[1], 1);
    __tsan_volatile_write4(&k->p[2]);
    k->p[2] = 1;
    __tsan_atomic32_fetch_add(&k->p[3], 5, 0);
    store(&k->p[4], 10);
    threelane_atomic32(&k->p[4], THREELANE_ADD, 1);
    store(&k->p[2], 2); /* held back again */
}

START_TEST(what_lands_at_once)
{
    int *p = device(64);
    Kernel kernel = {mixed, p, NULL, 0};
    ExecRun *run = start(&kernel, 1, 1);
    int now[] = {1, 0, 1, 5, 11}, then[] = {1, 1, 2, 5, 11};
    ck_assert_mem_eq(p, now, sizeof now);
    ck_assert_uint_eq(run->bytes_written, 20);
    finish(run);
    ck_assert_mem_eq(p, then, sizeof then);
}
END_TEST

static void wait_for_it(Kernel *k)
{
    store(k->q, 1);
    while (__tsan_volatile_read4(k->p), *(volatile int *)k->p == 0) {}
    store(k->q + 1, *k->p);
}

START_TEST(polling_is_suspended)
{
    int *p = device(4), *q = device(8);
    Kernel kernel = {wait_for_it, p, q, 0}, other = {put, q, NULL, 50};
    ExecRun *run = start(&kernel, 1, 1);
    ck_assert_int_eq(run->state, EXEC_WAITING);
    ck_assert_int_eq(q[0], 0); /* held back while it waits */
    ck_assert(!exec_resume(run, 2000));
    ck_assert(!exec_in_kernel());
    finish(start(&other, 1, 1)); /* another kernel runs meanwhile */
    ck_assert_int_eq(q[0], 50);
    *p = 3;
    ck_assert(exec_resume(run, 5000));
    ck_assert_int_eq(run->state, EXEC_DONE);
    ck_assert_uint_eq(run->waited_until_ns, 4000);
    ck_assert_int_eq(q[1], 0);
    finish(run);
    ck_assert_int_eq(q[0], 1);
    ck_assert_int_eq(q[1], 3);
}
END_TEST

static void wait_for_next(Kernel *k) /* block i waits for block i + 1 */
{
    int block = (int)threelane_block_index[0];
    while (__tsan_atomic32_load(k->p, 0) != block + 1) {}
    threelane_atomic32(k->p, THREELANE_EXCH, (uint32_t)block);
}

START_TEST(blocks_wait_for_later_ones)
{
    int *p = device(4);
    *p = 20;
    Kernel kernel = {wait_for_next, p, NULL, 0};
    ExecRun *run = start(&kernel, 20, 1);
    ck_assert_int_eq(run->state, EXEC_DONE);
    ck_assert_int_eq(*p, 0);
    finish(run);
}
END_TEST

START_TEST(waiting_run_can_be_dropped)
{
    int *p = device(4), *q = device(8);
    Kernel kernel = {wait_for_it, p, q, 0}, other = {put, q, NULL, 50};
    for (int i = 0; i < 100; i++) {
        ExecRun *run = start(&kernel, 3, 64);
        ck_assert_int_eq(run->state, EXEC_WAITING);
        exec_free(run);
    }
    ck_assert_int_eq(q[0], 0);
    finish(start(&other, 1, 1));
    ck_assert_int_eq(q[0], 50);
}
END_TEST

static void freed_meanwhile(Kernel *k)
{
    store(k->q, 77);
    while (__tsan_volatile_read4(k->p), *(volatile int *)k->p == 0) {}
}

START_TEST(stores_to_freed_memory_are_dropped)
{
    int *p = device(4), *q = device(8 << 20); /* big: its pages go when it is freed */
    Kernel kernel = {freed_meanwhile, p, q, 0};
    ExecRun *run = start(&kernel, 1, 1);
    memory_release(memory_find(q), (TraceSite){0});
    *p = 1;
    ck_assert(exec_resume(run, 2000));
    ck_assert_int_eq(run->state, EXEC_DONE);
    finish(run);
}
END_TEST

static void turn_around(Kernel *k)
{
    static int shared[1024];
    unsigned t = rank(), n = threelane_block_dim[0];
    for (int i = 0; i < k->n; i++) {
        shared[t] = load(&k->p[t]);
        threelane_sync(__FILE__, 1);
        store(&k->p[t], shared[n - 1 - t]);
        threelane_sync(__FILE__, 2);
    }
}

START_TEST(barriers)
{
    int *p = device(4096);
    for (int i = 0; i < 1024; i++) p[i] = i;
    Kernel kernel = {turn_around, p, NULL, 3};
    finish(start(&kernel, 1, 1024));
    for (int i = 0; i < 1024; i++) ck_assert_int_eq(p[i], 1023 - i);
}
END_TEST

static void leave_some(Kernel *k)
{
    if (rank() % 2) return;
    threelane_sync(__FILE__, 1);
    uint64_t sum = threelane_warp(THREELANE_REDUCE_ADD, ~0u, rank(), 0, 32, NULL, __FILE__, 2);
    if (rank() == 0) store(k->p, (int)sum);
}

START_TEST(exited_threads_do_not_count)
{
    int *p = device(4);
    Kernel kernel = {leave_some, p, NULL, 0};
    ExecRun *run = start(&kernel, 1, 50);
    ck_assert_int_eq(run->state, EXEC_DONE);
    finish(run);
    ck_assert_int_eq(*p, 240);
}
END_TEST

static void part_ways(Kernel *k)
{
    (void)k;
    if (rank() < 3) threelane_sync("x.cu", 10);
    else threelane_sync("x.cu", 20);
}

START_TEST(divergent_barrier_is_reported)
{
    Kernel kernel = {part_ways, NULL, NULL, 0}, good = {turn_around, device(4096), NULL, 1};
    for (int i = 0; i < 3; i++) { /* the fibers are good for others afterwards */
        ExecRun *run = start(&kernel, 2, 40);
        ck_assert_int_eq(run->state, EXEC_FAULT);
        ck_assert_int_eq(run->fault_code, 719);
        ck_assert_ptr_nonnull(strstr(run->fault_text, "3 of 40 threads at x.cu:10"));
        ck_assert_ptr_nonnull(strstr(run->fault_text, "37 at x.cu:20"));
        ck_assert_uint_eq(run->fault_site.line, 10);
        finish(run);
        run = start(&good, 2, 64);
        ck_assert_int_eq(run->state, EXEC_DONE);
        finish(run);
    }
}
END_TEST

static void out_of_bounds(Kernel *k)
{
    store(k->q, 5);
    store(&k->p[k->n], 1);
}

START_TEST(bad_accesses)
{
    int *p = device(100), *q = device(4);
    int *heap = malloc(4), local;
    struct {
        int *p;
        int n, code;
    } cases[] = {{p, 25, 700},
                 {p, -1, 700},
                 {heap, 0, 700},
                 {&local, 0, 700},
                 {NULL, 0, 700},
                 {(int *)((char *)p + 1), 0, 716},
                 {(int *)(uintptr_t)0xffff800000000000, 0, 700},
                 {p, 24, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Kernel kernel = {out_of_bounds, cases[i].p, q, cases[i].n};
        ExecRun *run = start(&kernel, 1, 33);
        ck_assert_int_eq(run->fault_code, cases[i].code);
        ck_assert_int_eq(run->state == EXEC_FAULT, cases[i].code != 0);
        finish(run);
        ck_assert_int_eq(*q, cases[i].code ? 0 : 5);
    }
    free(heap);
}
END_TEST

START_TEST(bad_launches)
{
    Kernel kernel = {put, device(4), NULL, 1};
    ExecRun *run = start(&kernel, 1, 1025);
    ck_assert_int_eq(run->state, EXEC_FAULT);
    finish(run);
    run = start(&kernel, 1, 0);
    ck_assert_int_eq(run->state, EXEC_FAULT);
    finish(run);
}
END_TEST

static void wild(Kernel *k) { *(volatile int *)(uintptr_t)(16 + k->n) = 1; } /* no hook sees it */
static int deeper(volatile char *above, int n)
{
    volatile char here[256];
    here[0] = above[0];
    return n ? deeper(here, n - 1) + here[0] : 0;
}
static void recurse(Kernel *k)
{
    volatile char c = 0;
    store(k->p, deeper(&c, k->n));
}

START_TEST(the_processor_catches_the_rest)
{
    Kernel crash = {wild, NULL, NULL, 0}, overflow = {recurse, device(4), NULL, 1 << 20};
    for (int i = 0; i < 2; i++) {
        ExecRun *run = start(&crash, 1, 4);
        ck_assert_int_eq(run->fault_code, 700);
        finish(run);
        run = start(&overflow, 1, 4);
        ck_assert_int_eq(run->fault_code, 714);
        finish(run);
    }
}
END_TEST

static uint64_t turns; /* of all loops of spin */

static void spin(Kernel *k)
{
    uint64_t ns = (uint64_t)k->n * (k->q ? rank() % 7 + 1 : 1), begin = threelane_globaltimer();
    while (threelane_globaltimer() - begin < ns) turns++;
}

/* A thread that spins as long as those before it takes few turns: a loop of a millisecond takes
 * thousands at the pace of the clock, and kernels of half a million threads would not end. */
START_TEST(spins_that_are_known_are_short)
{
    enum { BLOCKS = 50, THREADS = 256 };
    Kernel even = {spin, NULL, NULL, 1000000};
    turns = 0;
    ExecRun *run = start(&even, BLOCKS, THREADS);
    ck_assert_uint_ge(run->block_ns, 1000000);
    ck_assert_uint_gt(turns, BLOCKS * THREADS);
    ck_assert_uint_lt(turns / (BLOCKS * THREADS), 300);
    finish(run);
}
END_TEST

START_TEST(clocks_are_exact)
{
    Kernel even = {spin, NULL, NULL, 1000000}, uneven = {spin, NULL, device(4), 300000};
    ExecRun *run = start(&even, 2000, 256);
    ck_assert(run->clock_driven);
    ck_assert_uint_ge(run->block_ns, 1000000);
    ck_assert_uint_le(run->block_ns, 1005000);
    finish(run);
    run = start(&uneven, 20, 256);
    ck_assert_uint_ge(run->block_ns, 2100000);
    ck_assert_uint_le(run->block_ns, 2110500);
    finish(run);
    Kernel brief = {spin, NULL, NULL, 95};
    run = start(&brief, 1, 32);
    ck_assert_uint_ge(run->block_ns, 95);
    ck_assert_uint_le(run->block_ns, 130);
    finish(run);
}
END_TEST

static void grid_rounds(Kernel *k)
{
    for (int i = 0; i < k->n; i++) {
        threelane_atomic32(&k->p[i], THREELANE_ADD, 1);
        threelane_sync_grid(__FILE__, __LINE__);
        if (load(&k->p[i]) != 6 * 40) store(k->q, 1);
    }
}

START_TEST(grid_barrier)
{
    int *p = device(64), *q = device(4);
    Kernel kernel = {grid_rounds, p, q, 4};
    finish(start(&kernel, 6, 40));
    ck_assert_int_eq(p[3], 240);
    ck_assert_int_eq(*q, 0);
}
END_TEST

static const void *misused;
static size_t misused_bytes;
static bool misused_write;
static int polls;
static void note_misuse(const void *address, size_t bytes, bool write, const void *pc)
{
    ck_assert_ptr_nonnull(pc);
    misused = address, misused_bytes = bytes, misused_write = write;
}
static void note_poll(void) { polls++; }

START_TEST(host_code)
{
    int *p = device(64), local = 0;
    int *pinned = (int *)memory_alloc(TRACE_MEM_PINNED, -1, 64, 0, (TraceSite){0})->address;
    exec_on_host_misuse(note_misuse);
    exec_on_host_poll(note_poll);
    exec_count_host_bytes(true, 1);
    exec_take_host_bytes();
    __tsan_read4(&local);
    __tsan_write4(pinned);
    __tsan_write_range(pinned, 40);
    ck_assert_ptr_null(misused);
    ck_assert_uint_eq(exec_take_host_bytes(), 48);
    ck_assert_uint_eq(exec_take_host_bytes(), 0);
    __tsan_write4(p + 1);
    ck_assert_ptr_eq(misused, p + 1);
    ck_assert_uint_eq(misused_bytes, 4);
    ck_assert(misused_write);

    __tsan_volatile_read4(pinned);
    ck_assert_int_eq(polls, 0);
    __tsan_volatile_read4(pinned);
    ck_assert_int_eq(polls, 1);
    *pinned += 1; /* it has changed: no poll */
    __tsan_volatile_read4(pinned);
    ck_assert_int_eq(polls, 1);
    __tsan_write4(&local); /* something else was done */
    __tsan_volatile_read4(pinned);
    ck_assert_int_eq(polls, 1);
    for (int i = 0; i < 10000; i++) { /* but not for ever */
        __tsan_write4(&local);
        __tsan_volatile_read4(pinned);
    }
    ck_assert_int_ge(polls, 2);
    exec_on_host_misuse(NULL);
    exec_on_host_poll(NULL);
    exec_count_host_bytes(false, 1);
}
END_TEST

CASES("exec")
