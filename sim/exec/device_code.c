/* device_code.c - what device code calls: clocks, atomics, printf, assert, memory functions. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "sim/exec/exec_internal.h"
#include "sim/exec/race.h"
#include "sim/include/threelane/libc.h"
#include "sim/include/threelane/self.h"

/* An address in the call, for the line it is on: where it returns to may belong to the next
 * line. */
#define CALLER ((const char *)__builtin_return_address(0) - 1)

/* ---- time ----
 *
 * A clock read costs a thread read_ns; a loop that spins until a time has come would so take that
 * time over read_ns turns in each of perhaps millions of threads. Reads that follow one another
 * from the same place, with no memory access in between, are a spin: the longer it lasts, the
 * larger the steps (1/512 of it: the error stays below 0.2%). And where the threads before spun
 * equally long at this place, the next one begins a little before that end.
 *
 * On an exact model a kernel that is to last three units lasts three units, not a read more: no
 * step of a spin passes a multiple of grid_ns of the thread's time, and a read at such a time is
 * free once, so that a spin begins where the one before it ended.
 */
_Thread_local ExecTime exec_time;

enum { STEPS = 512, SURE = 2, SURE_ACROSS_BLOCKS = 64 };
typedef struct Learned {
    const void *place;
    uint64_t lasted_ns;
    unsigned same, block;
} Learned;
static struct {
    const void *place;
    const Learned *learned; /* of the place; NULL: nothing */
    uint32_t thread;
    uint64_t accesses, begin_ns, last_ns;
    bool jumped, read_since_jump, on;
} spin;
static Learned learned[16];
static unsigned n_learned;    /* ever; the table has the latest */
static uint64_t free_at_ns;   /* the latest read on the grid that was free; UINT64_MAX: none */
static unsigned block_number; /* counts blocks; a place is unsure in a block until a spin has ended
                                 there */

static Learned *learned_at(const void *place)
{
    enum { ROOM = sizeof learned / sizeof *learned };
    for (unsigned i = 0; i < ROOM && i < n_learned; i++)
        if (learned[i].place == place) return &learned[i];
    return NULL;
}

static Learned *learn(const void *place)
{
    Learned *l = learned_at(place);
    if (l) return l;
    l = &learned[n_learned++ % (sizeof learned / sizeof *learned)];
    *l = (Learned){.place = place};
    return l;
}

static void end_spin(void)
{
    uint64_t lasted = spin.last_ns - spin.begin_ns;
    if (!spin.on) return;
    spin.on = false;
    if (lasted < STEPS * exec_run->clock.read_ns) return; /* no spin worth the name */
    Learned *l = learn(spin.place);
    uint64_t apart = lasted > l->lasted_ns ? lasted - l->lasted_ns : l->lasted_ns - lasted;
    l->block = block_number;
    if (l->lasted_ns && apart <= l->lasted_ns / 128 && (!spin.jumped || spin.read_since_jump)) {
        l->same++; /* and keep what was measured without a jump */
        return;
    }
    l->lasted_ns = lasted;
    l->same = 0;
}

static void advance(uint64_t ns)
{
    exec_time.local_ns += ns;
    if (exec_time.local_ns > exec_block->longest_ns) exec_block->longest_ns = exec_time.local_ns;
    if (exec_time.local_ns > exec_run->longest_ns) exec_run->longest_ns = exec_time.local_ns;
}

/* How far a step may go. */
static uint64_t up_to_grid(uint64_t step)
{
    uint64_t grid = exec_run->clock.grid_ns, left = grid ? grid - exec_time.local_ns % grid : step;
    return step < left ? step : left;
}

static bool is_free(void)
{
    uint64_t grid = exec_run->clock.grid_ns;
    if (!grid || exec_time.local_ns % grid || exec_time.local_ns == free_at_ns) return false;
    free_at_ns = exec_time.local_ns;
    return true;
}

/* The running thread's time becomes what exec_time speaks of. */
static uint32_t own_time(void)
{
    exec_in_order();
    uint32_t thread = threelane_rank();
    if (!exec_time.used) {
        exec_time = (ExecTime){true, thread, exec_block->base_ns};
        free_at_ns = UINT64_MAX;
    } else if (exec_time.thread != thread) {
        exec_time.thread = thread;
        exec_time.local_ns = exec_block->base_ns;
        free_at_ns = UINT64_MAX;
    }
    exec_run->pub.clock_driven = true;
    return thread;
}

static uint64_t read_clock(const void *place)
{
    exec_in_order();
    uint32_t thread = own_time();
    uint64_t step = exec_run->clock.read_ns, now = exec_time.local_ns;
    if (!spin.on || spin.place != place || spin.thread != thread ||
        spin.accesses != exec_count_accesses()) {
        end_spin();
        advance(is_free() ? 0 : up_to_grid(step));
        spin.place = place;
        spin.learned = learned_at(place);
        spin.thread = thread;
        spin.accesses = exec_count_accesses();
        spin.begin_ns = spin.last_ns = exec_time.local_ns;
        spin.jumped = spin.read_since_jump = false;
        spin.on = true;
        return exec_time.local_ns;
    }
    const Learned *l = spin.learned;
    uint64_t spun = now - spin.begin_ns;
    if (spun / STEPS > step) step = spun / STEPS;
    step = up_to_grid(step);
    if (spin.jumped) {
        spin.read_since_jump = true;
    } else if (l && l->same >= (l->block == block_number ? SURE : SURE_ACROSS_BLOCKS)) {
        uint64_t target = l->lasted_ns - l->lasted_ns / 100;
        if (target > spun + step) {
            step = target - spun;
            spin.jumped = true;
        }
    }
    advance(step);
    spin.last_ns = exec_time.local_ns;
    return exec_time.local_ns;
}

void clock_new_run(Run *run)
{
    (void)run;
    exec_time.used = false;
    spin.on = false;
    n_learned = 0;
}

void clock_new_block(void)
{
    end_spin();
    exec_time.thread = UINT32_MAX;
    block_number++;
}

void clock_thread_resumed(void) { free_at_ns = UINT64_MAX; }

void clock_resumed(Run *run, uint64_t local_ns)
{
    spin.on = false;
    exec_time = (ExecTime){true, UINT32_MAX, 0};
    for (Block *b = run->suspended; b; b = b->next) {
        if (b->base_ns < local_ns) b->base_ns = local_ns;
        for (uint32_t i = 0; i < b->n_polling; i++)
            if (b->polling[i]->local_ns < local_ns) b->polling[i]->local_ns = local_ns;
    }
}

uint64_t threelane_globaltimer(void)
{
    return exec_run ? exec_run->clock.start_ns + read_clock(CALLER) : 0;
}

uint64_t threelane_clock64(void)
{
    if (!exec_run) return 0;
    uint64_t ns = exec_run->clock.start_ns + read_clock(CALLER);
    return (uint64_t)((double)ns * exec_run->clock.sm_clock_ghz);
}

void threelane_nanosleep(unsigned ns)
{
    if (!exec_run) return;
    own_time();
    advance(ns);
}

unsigned threelane_special(ThreelaneSpecial what)
{
    if (!exec_run) return 0;
    uint32_t thread = threelane_rank();
    switch (what) {
    case THREELANE_LANE_ID: return thread % 32;
    case THREELANE_WARP_ID: return thread / 32;
    case THREELANE_WARPS: return 64;
    default: break;
    }
    /* blocks are dealt to multiprocessors in turn */
    uint64_t block =
        exec_block->index[0] +
        (uint64_t)exec_run->launch.grid.x *
            (exec_block->index[1] + (uint64_t)exec_run->launch.grid.y * exec_block->index[2]);
    uint32_t sms = exec_run->clock.sm_count;
    return what == THREELANE_SM_ID ? (unsigned)(block % sms) : sms;
}

/* ---- atomics ---- */

/* An atomic operation that only the block can see: nothing else is to be known of it, while blocks
 * run on several OS threads. */
static inline bool stays_here(void *address, size_t bytes)
{
    if (exec_order != EXEC_SPREAD || !exec_is_here((uintptr_t)address) ||
        (uintptr_t)address & (bytes - 1))
        return false;
    exec_accesses++;
    return true;
}

static void land(void *address, size_t bytes, bool reads, const void *pc)
{
    if (__builtin_expect(exec_order != EXEC_ONE_BY_ONE, 0) && !exec_is_here((uintptr_t)address))
        exec_wait_for_order();
    uintptr_t bad, at = (uintptr_t)address;
    exec_accesses++;
    if (at & (bytes - 1)) exec_report_misaligned(at, bytes, NULL, true, pc, NULL, 0);
    if (at & (bytes - 1))
        exec_fault(EXEC_MISALIGNED, pc, NULL, 0,
                   "misaligned address: atomic on %zu bytes at %#lx, %s", bytes, (unsigned long)at,
                   exec_where());
    bool shared = shared_range(at) != NULL; /* which no footprint has, nor what looks at it */
    if (!shared) {
        if (!footprint_land(at, bytes, reads, &bad)) exec_bad_access(at, bytes, bad, true, pc);
        if (__builtin_expect(footprint_fresh.count, 0)) exec_report_fresh(at, bytes, pc);
    }
    if (shared_on) shared_access(at, bytes, SHARED_ATOMIC_WRITE, pc);
    if (__builtin_expect(shared_fenced, 0)) shared_acquire_flag(at);
    if (race_on && (!shared || race_watching))
        race_access(at, bytes, SHARED_ATOMIC_WRITE, true, pc), race_acquire(at),
            race_release(at, true);
    exec_release(at);
}

#define OPERATE(T, SIGNED, old, x)                                         \
    switch (op) {                                                          \
    case THREELANE_ADD: result = old + x; break;                           \
    case THREELANE_SUB: result = old - x; break;                           \
    case THREELANE_EXCH: result = x; break;                                \
    case THREELANE_MIN: result = (SIGNED)x < (SIGNED)old ? x : old; break; \
    case THREELANE_MAX: result = (SIGNED)x > (SIGNED)old ? x : old; break; \
    case THREELANE_UMIN: result = x < old ? x : old; break;                \
    case THREELANE_UMAX: result = x > old ? x : old; break;                \
    case THREELANE_INC: result = old >= x ? 0 : old + 1; break;            \
    case THREELANE_DEC: result = old == 0 || old > x ? x : old - 1; break; \
    case THREELANE_AND: result = old & x; break;                           \
    case THREELANE_OR: result = old | x; break;                            \
    case THREELANE_XOR: result = old ^ x; break;                           \
    default: break;                                                        \
    }

/* Does the operation, so called, only read? Repeated, it is a poll. Exchanging a value for the same
 * one is how a lock is tried. */
static bool only_reads(ThreelaneAtomicOp op, uint64_t operand, uint64_t old)
{
    switch (op) {
    case THREELANE_ADD:
    case THREELANE_SUB:
    case THREELANE_OR:
    case THREELANE_XOR: return operand == 0;
    case THREELANE_EXCH: return operand == old;
    default: return false;
    }
}

uint32_t threelane_atomic32(void *address, ThreelaneAtomicOp op, uint32_t operand)
{
    bool here = exec_kernel && stays_here(address, 4);
    if (exec_kernel && !here) land(address, 4, op != THREELANE_EXCH, CALLER);
    uint32_t old, result = 0;
    memcpy(&old, address, 4);
    if (op == THREELANE_ADD_FLOAT) {
        float a, b;
        memcpy(&a, &old, 4);
        memcpy(&b, &operand, 4);
        a += b;
        memcpy(&result, &a, 4);
    } else {
        OPERATE(uint32_t, int32_t, old, operand)
    }
    memcpy(address, &result, 4);
    if (exec_kernel && only_reads(op, operand, old)) {
        exec_poll((uintptr_t)address, old);
        if (!here) exec_acquire((uintptr_t)address);
    }
    return old;
}

uint64_t threelane_atomic64(void *address, ThreelaneAtomicOp op, uint64_t operand)
{
    bool here = exec_kernel && stays_here(address, 8);
    if (exec_kernel && !here) land(address, 8, op != THREELANE_EXCH, CALLER);
    uint64_t old, result = 0;
    memcpy(&old, address, 8);
    if (op == THREELANE_ADD_FLOAT) {
        double a, b;
        memcpy(&a, &old, 8);
        memcpy(&b, &operand, 8);
        a += b;
        memcpy(&result, &a, 8);
    } else {
        OPERATE(uint64_t, int64_t, old, operand)
    }
    memcpy(address, &result, 8);
    if (exec_kernel && only_reads(op, operand, old)) {
        exec_poll((uintptr_t)address, old);
        if (!here) exec_acquire((uintptr_t)address);
    }
    return old;
}

uint64_t threelane_atomic_cas(void *address, unsigned bytes, uint64_t expected, uint64_t desired)
{
    bool here = exec_kernel && stays_here(address, bytes);
    if (exec_kernel && !here) land(address, bytes, true, CALLER);
    uint64_t old = 0;
    memcpy(&old, address, bytes); /* both architectures are little-endian */
    if (old == expected) memcpy(address, &desired, bytes);
    else if (exec_kernel) exec_poll((uintptr_t)address, old);
    if (exec_kernel && !here) exec_acquire((uintptr_t)address);
    return old;
}

void threelane_fence(void)
{
    if (!exec_kernel) return;
    exec_in_order();
    footprint_fence();
    exec_run->fenced = true;
    shared_fence();
    race_fence(false);
}

/* Only the block's own threads are concerned. */
void threelane_fence_block(void)
{
    if (exec_kernel && exec_order != EXEC_SPREAD) shared_fence(), race_fence(true);
}

/* ---- ends ---- */

void threelane_trap(void)
{
    if (!exec_run) abort();
    exec_alone_at_end();
    exec_fault(EXEC_LAUNCH_FAILURE, CALLER, NULL, 0, "a kernel called __trap(), %s", exec_where());
}

/* The kernel's signature from what the compiler calls the closure in it: g++ "K(float*,
 * int)::<lambda()>", clang++ "auto K(float *, int)::(anonymous class)::operator()()". */
static void signature(const char *function, char *text, size_t size)
{
    const char *begin = strncmp(function, "auto ", 5) == 0 ? function + 5 : function;
    const char *end = strstr(begin, "::<lambda");
    if (!end) end = strstr(begin, "::(lambda");
    if (!end) end = strstr(begin, "::(anonymous class)::operator()");
    if (!end) snprintf(text, size, "%s", function);
    else
        snprintf(text, size, "%s%.*s", strncmp(begin, "void ", 5) == 0 ? "" : "void ",
                 (int)(end - begin), begin);
}

void threelane_assert_fail(const char *expression, const char *file, unsigned line,
                           const char *function)
{
    if (!exec_run) __assert_fail(expression, file, line, function);
    exec_alone_at_end();
    char name[160];
    signature(function, name, sizeof name);
    const uint32_t *b = exec_block->index, *t = threelane_self.thread;
    exec_fault(EXEC_ASSERT, NULL, file, (int)line,
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s' failed.", file,
               line, name, b[0], b[1], b[2], t[0], t[1], t[2], expression);
}

/* ---- printf: kept until the kernel's virtual end ---- */

enum { OUT_MOST = 64 << 20 };

static int keep_text(const char *format, va_list args)
{
    Run *run = exec_run;
    exec_in_order();
    va_list again;
    va_copy(again, args);
    unsigned kernel = exec_kernel;
    exec_kernel = 0; /* the C library is not device code */
    int n = vsnprintf(NULL, 0, format, args);
    if (n > 0 && run->out_length + (size_t)n < OUT_MOST) {
        if (run->out_length + (size_t)n + 1 > run->out_room) {
            size_t room = (run->out_length + (size_t)n + 1) * 2;
            char *out = realloc(run->out, room);
            if (out) run->out = out, run->out_room = room;
            else n = -1;
        }
        if (n > 0) {
            vsnprintf(run->out + run->out_length, (size_t)n + 1, format, again);
            run->out_length += (size_t)n;
        }
    }
    exec_kernel = kernel;
    va_end(again);
    return n;
}

static int keep(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = keep_text(format, args);
    va_end(args);
    return n;
}

static int print(const char *format, va_list args, const void *pc)
{
    if (exec_run) return keep_text(format, args);
    exec_format_reads(format, args, pc);
    return vprintf(format, args);
}

int threelane_vprintf(const char *format, va_list args) { return print(format, args, CALLER); }

int threelane_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = print(format, args, CALLER);
    va_end(args);
    return n;
}

int threelane_printf_chk(int flag, const char *format, ...)
{
    (void)flag;
    va_list args;
    va_start(args, format);
    int n = print(format, args, CALLER);
    va_end(args);
    return n;
}

int threelane_puts(const char *text)
{
    if (exec_run) return keep("%s\n", text);
    exec_text_reads(text, CALLER);
    return puts(text);
}
int threelane_putchar(int c) { return exec_run ? keep("%c", c) : putchar(c); }

clock_t threelane_clock(void) { return exec_run ? (clock_t)threelane_clock64() : clock(); }

/* ---- memory functions: the compiler does not instrument what they touch ---- */

static void announce(const void *p, size_t bytes, bool write, const void *pc)
{
    exec_announce((uintptr_t)p, bytes, write, pc);
}

void *threelane_memcpy(void *to, const void *from, size_t bytes)
{
    announce(from, bytes, false, CALLER);
    announce(to, bytes, true, CALLER);
    exec_host_copies(to, from, 0, bytes);
    return memcpy(to, from, bytes);
}

void *threelane_memmove(void *to, const void *from, size_t bytes)
{
    announce(from, bytes, false, CALLER);
    announce(to, bytes, true, CALLER);
    exec_host_copies(to, from, 0, bytes);
    return memmove(to, from, bytes);
}

void *threelane_memset(void *to, int value, size_t bytes)
{
    announce(to, bytes, true, CALLER);
    exec_host_copies(to, NULL, value, bytes);
    return memset(to, value, bytes);
}

int threelane_memcmp(const void *a, const void *b, size_t bytes)
{
    announce(a, bytes, false, CALLER);
    announce(b, bytes, false, CALLER);
    return memcmp(a, b, bytes);
}
