/* hooks.c - what -fsanitize=thread calls: our __tsan_* functions instead of libtsan's.
 *
 * In a kernel a read or write looks its line of the footprint up and is done when the bits are set
 * already; a first write saves the old bytes. In host code an access is only looked at for memory
 * that the host must not touch. A hook comes before the access it announces, except that atomics
 * are made by the hook.
 */
#include <string.h>
#include "sim/exec/cluster.h"
#include "sim/exec/exec_internal.h"
#include "sim/exec/inside.h"
#include "sim/exec/race.h"
#include "sim/hazard/maybe_padding.h"
#include "sim/include/threelane/self.h"
#include "sim/memory/memory.h"

_Thread_local uint64_t exec_accesses;
static bool hooked; /* the program is instrumented */

static void (*on_misuse)(const void *, size_t, bool, const void *);
static void (*on_poll)(void);
static void (*on_access)(uintptr_t, size_t, bool);
static void (*on_copy)(void *, const void *, int, size_t);
static bool counting;
static double set_share = 1; /* a byte set with memset costs so much of one */
static uint64_t host_bytes;
bool exec_host_watched;

/* The volatile or atomic read that host code repeats. A write in between means that it is doing
 * something else; but a loop that also counts its turns must end too. */
static struct {
    uintptr_t address;
    uint64_t value;
    unsigned repeats;
} host_polled;
enum { HOST_POLL_WITH_WRITES = 4096 };
uintptr_t exec_host_quiet; /* the address of the last such read, when nothing was written since */

static void look_who_watches(void) { exec_host_watched = counting || on_access; }

void exec_count_host_bytes(bool enabled, double share)
{
    counting = enabled;
    set_share = share;
    look_who_watches();
}

uint64_t exec_take_host_bytes(void)
{
    uint64_t bytes = host_bytes;
    host_bytes = 0;
    return bytes;
}

void exec_on_host_misuse(void (*report)(const void *, size_t, bool, const void *))
{
    on_misuse = report;
}
void exec_on_host_poll(void (*poll)(void)) { on_poll = poll; }

void exec_on_host_access(void (*access)(uintptr_t, size_t, bool),
                         void (*copy)(void *, const void *, int, size_t))
{
    on_access = access;
    on_copy = copy;
    look_who_watches();
}

void exec_host_copies(void *to, const void *from, int value, size_t bytes)
{
    if (on_copy && !exec_kernel) on_copy(to, from, value, bytes);
}

/* An address in the call, for the line it is on: where it returns to may belong to the next
 * line. */
#define CALLER ((const char *)__builtin_return_address(0) - 1)
#define COLD __attribute__((noinline, cold))

COLD static void misuse(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    if (on_misuse) on_misuse((const void *)address, bytes, write, pc);
}

/* Where hazards are looked for, host code's accesses count in the memory that the device can reach,
 * and in what copies have used. */
static inline void host_touch(uintptr_t address, size_t bytes, HazardTouchKind kind, const void *pc)
{
    bool ours = address - memory_base < memory_span;
    if (__builtin_expect(hazard_tracks(address) || ours, 0)) {
        if (ours && !memory_holds((const void *)address, bytes))
            misuse(address, bytes, kind == HAZARD_WRITE || kind == HAZARD_ATOMIC_WRITE, pc);
        if (__builtin_expect(doubts, 0))
            maybe_padding_access(address, bytes,
                                 kind == HAZARD_WRITE || kind == HAZARD_ATOMIC_WRITE, pc);
        hazard_host_access(address, bytes, kind, pc);
    }
}

/* No single access has more than 64 bytes: what has is a function of the C library. */
static inline void count_host(size_t bytes, bool write)
{
    host_bytes += bytes <= 64 || bytes > EXEC_SET_MOST || !write
                      ? bytes
                      : (uint64_t)((double)bytes * set_share);
}

static inline void host_access(uintptr_t address, size_t bytes, HazardTouchKind kind,
                               const void *pc)
{
    bool write = kind == HAZARD_WRITE || kind == HAZARD_ATOMIC_WRITE;
    if (__builtin_expect(address - memory_base < memory_device_span, 0))
        misuse(address, bytes, write, pc);
    host_touch(address, bytes, kind, pc);
    if (__builtin_expect(counting, 0)) count_host(bytes, write);
    if (__builtin_expect(on_access != NULL, 0)) on_access(address, bytes, write);
    if (write) exec_host_quiet = 0;
}

/* The pages where __shared__ variables are hold other things, too, which are the host's. */
COLD static void beside_tls(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    if (footprint_beside_tls(address)) exec_bad_access(address, bytes, address, write, pc);
    if (footprint_beside_tls(address + bytes - 1))
        exec_bad_access(address, bytes, address + bytes - 1, write, pc);
}

/* Any access, the careful way. */
__attribute__((noinline)) static void announce(uintptr_t address, size_t bytes, bool write,
                                               const void *pc)
{
    uintptr_t bad;
    if (!bytes) return;
    if (!exec_kernel) {
        host_access(address, bytes, write ? HAZARD_WRITE : HAZARD_READ, pc);
        return;
    }
    if (__builtin_expect(inside_on, 0)) inside_access(address, bytes, write);
    bool again = race_on && write && footprint_has_written(address, bytes);
    if (!(write ? footprint_write(address, bytes, &bad) : footprint_read(address, bytes, &bad)))
        exec_bad_access(address, bytes, bad, write, pc);
    if (__builtin_expect(!write && footprint_fresh.count, 0)) exec_report_fresh(address, bytes, pc);
    if (address - footprint_tls_pages < footprint_tls_page_bytes)
        beside_tls(address, bytes, write, pc);
    if (shared_on) shared_access(address, bytes, write ? SHARED_WRITE : SHARED_READ, pc);
    if (cluster_has(address))
        cluster_access(address, bytes, write ? SHARED_WRITE : SHARED_READ, pc);
    if (race_on) race_access(address, bytes, write ? SHARED_WRITE : SHARED_READ, again, pc);
}

COLD static void misaligned_type(uintptr_t address, size_t alignment, const char *type,
                                 unsigned access, const char *file, uint32_t line)
{
    bool write = access == 1; /* 0: a read, 1: a write; the others need not touch anything */
    if (access > 3) return;
    exec_kernel = 0;
    exec_report_misaligned(address, alignment, type, write, NULL, file, line);
    exec_fault(EXEC_MISALIGNED, NULL, file, (int)line,
               "misaligned address: %s of type %s at %#lx, which is not a multiple "
               "of %zu, %s",
               write ? "write" : "read", type, (unsigned long)address, alignment, exec_where());
}

COLD static void misaligned(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    exec_kernel = 0;
    exec_report_misaligned(address, bytes, NULL, write, pc, NULL, 0);
    exec_fault(EXEC_MISALIGNED, pc, NULL, 0, "misaligned address: %s of %zu bytes at %#lx, %s",
               write ? "write" : "read", bytes, (unsigned long)address, exec_where());
}

static inline void check_alignment(uintptr_t address, unsigned bytes, bool write, const void *pc)
{
    if (exec_kernel && address & ((bytes < 8 ? bytes : 8) - 1))
        misaligned(address, bytes, write, pc);
}

/* The compiler calls it (-fsanitize=alignment) before an access through a pointer that is not
 * aligned as its type asks: of a float4, whose parts may all be aligned, no other hook sees
 * that. */
typedef struct Mismatch {
    struct {
        const char *file;
        uint32_t line, column;
    } at;
    const struct {
        uint16_t kind, info;
        char name[];
    } * type;
    unsigned char log_alignment, access;
} Mismatch;
void __ubsan_handle_type_mismatch_v1(const Mismatch *, uintptr_t address);
void __ubsan_handle_type_mismatch_v1(const Mismatch *m, uintptr_t address)
{
    uintptr_t alignment = (uintptr_t)1 << m->log_alignment;
    if (!exec_kernel || address % alignment == 0) return; /* null pointers are the other hooks' */
    misaligned_type(address, (size_t)alignment, m->type->name, m->access, m->at.file, m->at.line);
}

/* An aligned access that the first tests did not settle: host code, private memory, memory outside
 * the arena, a page's first access, a fault. */
__attribute__((noinline)) static void access_slowly(uintptr_t address, unsigned bytes, bool write,
                                                    const void *pc)
{
    if (!exec_kernel) {
        host_access(address, bytes, write ? HAZARD_WRITE : HAZARD_READ, pc);
        return;
    }
    check_alignment(address, bytes, write, pc);
    exec_accesses++;
    announce(address, bytes, write, pc);
}

/* What touch.c does not settle: it has noted nothing yet. */
void exec_touch(uintptr_t address, unsigned bytes, bool write, const void *pc)
{
    const FootprintCache *c = &footprint_cache[address / FOOTPRINT_PAGE % FOOTPRINT_CACHE];
    bool outside = address - footprint_base >= footprint_live;
    if (!outside || c->page != address / FOOTPRINT_PAGE || c->shadow ||
        TOUCH_UNTIDY(bytes, address)) {
        access_slowly(address, bytes, write, pc);
        return;
    }

    /* Private memory of the running kernel, of which a block's shared memory is a part: that is
     * all. (In host code the cache is empty.) */
    exec_accesses++;
    if (c->plain) return;
    if (__builtin_expect(inside_on, 0)) {
        inside_access(address, bytes, write);
        return;
    }
    if (shared_range(address) || shared_outside(address))
        shared_access(address, bytes, write ? SHARED_WRITE : SHARED_READ, pc);
    else if (cluster_has(address))
        cluster_access(address, bytes, write ? SHARED_WRITE : SHARED_READ, pc);
    else if (__builtin_expect(address - footprint_tls_pages < footprint_tls_page_bytes, 0))
        beside_tls(address, bytes, write, pc);
}

static inline void range(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    if (exec_kernel) exec_accesses++;
    announce(address, bytes, write, pc);
}

#define UNALIGNED(BYTES)                                                                      \
    void __tsan_unaligned_read##BYTES(void *p);                                               \
    void __tsan_unaligned_write##BYTES(void *p);                                              \
    void __tsan_unaligned_read##BYTES(void *p) { range((uintptr_t)p, BYTES, false, CALLER); } \
    void __tsan_unaligned_write##BYTES(void *p) { range((uintptr_t)p, BYTES, true, CALLER); }
UNALIGNED(1)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

void exec_announce(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    range(address, bytes, write, pc);
}

void exec_access(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    if (hooked) range(address, bytes, write, pc);
}

void __tsan_read_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes);
void __tsan_read_range(void *p, size_t bytes) { range((uintptr_t)p, bytes, false, CALLER); }
void __tsan_write_range(void *p, size_t bytes) { range((uintptr_t)p, bytes, true, CALLER); }

/* ---- volatile ---- */

static uint64_t value_at(uintptr_t address, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)address, bytes < sizeof value ? bytes : sizeof value);
    return value;
}

static void host_read_again(uintptr_t address, uint64_t value)
{
    if (host_polled.address != address || host_polled.value != value) {
        host_polled.address = address;
        host_polled.value = value;
        host_polled.repeats = 0;
    } else if (exec_host_quiet == address || ++host_polled.repeats >= HOST_POLL_WITH_WRITES) {
        host_polled.repeats = 0;
        if (on_poll) on_poll();
    }
    exec_host_quiet = address;
}

/* A flag in memory that the device can reach is how host code and kernels tell each other
 * things. */
static bool is_flag(uintptr_t address)
{
    return hazard_tracks(address) || address - memory_base < memory_span;
}

/* Volatile accesses are no synchronization: in shared memory they race like others. But where
 * fences are made they are taken for flags. */
static SharedUse volatile_use(bool write)
{
    if (shared_fenced) return write ? SHARED_ATOMIC_WRITE : SHARED_ATOMIC_READ;
    return write ? SHARED_WRITE : SHARED_READ;
}

bool exec_is_shared(uintptr_t address)
{
    void *tls;
    size_t bytes;
    footprint_tls(&tls, &bytes);
    return address - (uintptr_t)tls < bytes ||
           address - (uintptr_t)threelane_dynamic_shared < THREELANE_DYNAMIC_SHARED;
}

static void volatile_read(uintptr_t address, size_t bytes, const void *pc)
{
    uintptr_t bad;
    if (!exec_kernel) {
        host_access(address, bytes, HAZARD_ATOMIC_READ, pc);
        host_read_again(address, value_at(address, bytes));
        if (is_flag(address)) hazard_acquire((const void *)address);
        return;
    }
    exec_accesses++;
    bool in_step = exec_is_shared(address);
    if (in_step) exec_in_step(pc);
    if (!footprint_poll(address, bytes, &bad)) exec_bad_access(address, bytes, bad, false, pc);
    if (__builtin_expect(footprint_fresh.count, 0)) exec_report_fresh(address, bytes, pc);
    if (shared_on)
        shared_volatile = true, shared_access(address, bytes, volatile_use(false), pc),
        shared_volatile = false;
    if (cluster_has(address)) cluster_access(address, bytes, SHARED_ATOMIC_READ, pc);
    if (race_on) race_access(address, bytes, SHARED_ATOMIC_READ, false, pc);
    if (in_step) exec_poll_in_step(address, value_at(address, bytes));
    else exec_poll(address, value_at(address, bytes));
    race_acquire(address);
    exec_acquire(address);
}

static void volatile_write(uintptr_t address, size_t bytes, const void *pc)
{
    uintptr_t bad;
    if (!exec_kernel) {
        if (is_flag(address)) hazard_release((const void *)address);
        host_access(address, bytes, HAZARD_ATOMIC_WRITE, pc);
        return;
    }
    exec_accesses++;
    if (exec_is_shared(address)) exec_in_step(pc);
    exec_release(address);
    if (!footprint_land(address, bytes, false, &bad))
        exec_bad_access(address, bytes, bad, true, pc);
    if (shared_on)
        shared_volatile = true, shared_access(address, bytes, volatile_use(true), pc),
        shared_volatile = false;
    if (cluster_has(address)) cluster_access(address, bytes, SHARED_ATOMIC_WRITE, pc);
    if (race_on)
        race_access(address, bytes, SHARED_ATOMIC_WRITE, true, pc), race_release(address, false);
}

#define VOLATILE(BYTES)                                      \
    void __tsan_volatile_read##BYTES(void *p);               \
    void __tsan_volatile_write##BYTES(void *p);              \
    void __tsan_unaligned_volatile_read##BYTES(void *p);     \
    void __tsan_unaligned_volatile_write##BYTES(void *p);    \
    void __tsan_volatile_read##BYTES(void *p)                \
    {                                                        \
        check_alignment((uintptr_t)p, BYTES, false, CALLER); \
        volatile_read((uintptr_t)p, BYTES, CALLER);          \
    }                                                        \
    void __tsan_volatile_write##BYTES(void *p)               \
    {                                                        \
        check_alignment((uintptr_t)p, BYTES, true, CALLER);  \
        volatile_write((uintptr_t)p, BYTES, CALLER);         \
    }                                                        \
    void __tsan_unaligned_volatile_read##BYTES(void *p)      \
    {                                                        \
        volatile_read((uintptr_t)p, BYTES, CALLER);          \
    }                                                        \
    void __tsan_unaligned_volatile_write##BYTES(void *p)     \
    {                                                        \
        volatile_write((uintptr_t)p, BYTES, CALLER);         \
    }
VOLATILE(1)
VOLATILE(2)
VOLATILE(4)
VOLATILE(8)
VOLATILE(16)

/* ---- read and write announced at once (clang, tsan-compound-read-before-write) ---- */

#define COMPOUND(BYTES)                               \
    void __tsan_read_write##BYTES(void *p);           \
    void __tsan_unaligned_read_write##BYTES(void *p); \
    void __tsan_read_write##BYTES(void *p)            \
    {                                                 \
        range((uintptr_t)p, BYTES, false, CALLER);    \
        range((uintptr_t)p, BYTES, true, CALLER);     \
    }                                                 \
    void __tsan_unaligned_read_write##BYTES(void *p)  \
    {                                                 \
        range((uintptr_t)p, BYTES, false, CALLER);    \
        range((uintptr_t)p, BYTES, true, CALLER);     \
    }
COMPOUND(1)
COMPOUND(2)
COMPOUND(4)
COMPOUND(8)
COMPOUND(16)

/* ---- the rest of the interface ---- */

void __tsan_init(void);
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
void __tsan_vptr_update(void **slot, void *value);
void __tsan_vptr_read(void **slot);
bool exec_hooked(void) { return hooked; }
void __tsan_init(void) { hooked = true; }
void __tsan_func_entry(void *pc) { (void)pc; }
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_vptr_update(void **slot, void *value)
{
    (void)value;
    range((uintptr_t)slot, sizeof *slot, true, CALLER);
}
void __tsan_vptr_read(void **slot) { range((uintptr_t)slot, sizeof *slot, false, CALLER); }

/* ---- atomics: made here, since the compiler leaves them to us ---- */

/* Before: the address is checked, and what lies there lands at once. */
typedef enum AtomicUse { LOADS, STORES, UPDATES } AtomicUse;
static void atomic_begin(uintptr_t address, size_t bytes, AtomicUse use, const void *pc)
{
    uintptr_t bad;
    bool write = use != LOADS;
    if (!exec_kernel) {
        host_access(address, bytes, write ? HAZARD_ATOMIC_WRITE : HAZARD_ATOMIC_READ, pc);
        return;
    }
    exec_accesses++;
    if (address & (bytes - 1)) misaligned(address, bytes, write, pc);
    if (!(write ? footprint_land(address, bytes, use == UPDATES, &bad)
                : footprint_poll(address, bytes, &bad)))
        exec_bad_access(address, bytes, bad, write, pc);
    if (__builtin_expect(footprint_fresh.count, 0)) exec_report_fresh(address, bytes, pc);
    if (shared_on)
        shared_access(address, bytes, write ? SHARED_ATOMIC_WRITE : SHARED_ATOMIC_READ, pc);
    if (cluster_has(address))
        cluster_access(address, bytes, write ? SHARED_ATOMIC_WRITE : SHARED_ATOMIC_READ, pc);
    if (race_on)
        race_access(address, bytes, write ? SHARED_ATOMIC_WRITE : SHARED_ATOMIC_READ, write, pc);
}

/* What the order of an atomic operation says about what its thread did before and will do after it.
 * A fence gives relaxed ones the same meaning: from the first on they all have it. */
static bool host_fenced;

static void order_before(uintptr_t address, int order)
{
    bool releases =
        order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
    if (exec_kernel && releases) race_fence(false);
    if (exec_kernel) race_acquire(address), race_release(address, true);
    if (!hazard_on) return;
    if (!exec_kernel && (releases || host_fenced)) hazard_release((const void *)address);
    if (exec_kernel && releases) exec_run->fenced = true, shared_fence();
    if (exec_kernel) exec_release(address);
}

static void order_after(uintptr_t address, int order)
{
    if (exec_kernel) race_acquire(address);
    if (!hazard_on) return;
    if (exec_kernel) exec_acquire(address);
    else if (order != __ATOMIC_RELAXED || host_fenced) hazard_acquire((const void *)address);
}

/* After one that changed nothing: a poll, perhaps. */
static void atomic_unchanged(uintptr_t address, uint64_t value)
{
    if (exec_kernel) exec_poll(address, value);
    else host_read_again(address, value);
}

__extension__ typedef __int128 Atomic128;
#define ORDER __ATOMIC_SEQ_CST

/* Replaces *p by VALUE, an expression of old, which *p then was. 16 bytes are exchanged in two
 * steps: only one thread of the program runs at a time. */
#define REPLACE(p, old, VALUE)                   \
    __typeof__(*(p) + 0) changed_;               \
    old = __atomic_load_n(p, ORDER);             \
    do changed_ = (__typeof__(changed_))(VALUE); \
    while (!__atomic_compare_exchange_n(p, &old, (__typeof__(old))changed_, 0, ORDER, ORDER))
#define REPLACE_8 REPLACE
#define REPLACE_16 REPLACE
#define REPLACE_32 REPLACE
#define REPLACE_64 REPLACE
#define REPLACE_128(p, old, VALUE) \
    do {                           \
        old = *(p);                \
        *(p) = (VALUE);            \
    } while (0)

#define ATOMIC_LOAD_STORE(BITS_, T)                                       \
    T __tsan_atomic##BITS_##_load(const volatile T *p, int order);        \
    void __tsan_atomic##BITS_##_store(volatile T *p, T value, int order); \
    T __tsan_atomic##BITS_##_exchange(volatile T *p, T value, int order); \
    T __tsan_atomic##BITS_##_load(const volatile T *p, int order)         \
    {                                                                     \
        atomic_begin((uintptr_t)p, sizeof *p, LOADS, CALLER);             \
        atomic_unchanged((uintptr_t)p, (uint64_t)*p);                     \
        order_after((uintptr_t)p, order);                                 \
        return *p;                                                        \
    }                                                                     \
    void __tsan_atomic##BITS_##_store(volatile T *p, T value, int order)  \
    {                                                                     \
        atomic_begin((uintptr_t)p, sizeof *p, STORES, CALLER);            \
        if (exec_kernel && order != __ATOMIC_RELAXED) footprint_fence();  \
        order_before((uintptr_t)p, order);                                \
        *p = value;                                                       \
        __atomic_thread_fence(ORDER);                                     \
    }                                                                     \
    T __tsan_atomic##BITS_##_exchange(volatile T *p, T value, int order)  \
    {                                                                     \
        atomic_begin((uintptr_t)p, sizeof *p, STORES, CALLER);            \
        order_before((uintptr_t)p, order);                                \
        T old;                                                            \
        REPLACE_##BITS_(p, old, value);                                   \
        order_after((uintptr_t)p, order);                                 \
        if (old == value) atomic_unchanged((uintptr_t)p, (uint64_t)old);  \
        return old;                                                       \
    }

/* IDLE: the operand with which the operation is only a read. */
#define ATOMIC_FETCH(BITS_, T, NAME, RESULT, IDLE)                            \
    T __tsan_atomic##BITS_##_fetch_##NAME(volatile T *p, T value, int order); \
    T __tsan_atomic##BITS_##_fetch_##NAME(volatile T *p, T value, int order)  \
    {                                                                         \
        atomic_begin((uintptr_t)p, sizeof *p, UPDATES, CALLER);               \
        order_before((uintptr_t)p, order);                                    \
        T old;                                                                \
        REPLACE_##BITS_(p, old, RESULT);                                      \
        if (!exec_kernel) order_after((uintptr_t)p, order);                   \
        if (IDLE) atomic_unchanged((uintptr_t)p, (uint64_t)old);              \
        return old;                                                           \
    }

#define ATOMIC_CAS(BITS_, T)                                                                       \
    int __tsan_atomic##BITS_##_compare_exchange_strong(volatile T *p, T *expected, T value, int a, \
                                                       int b);                                     \
    int __tsan_atomic##BITS_##_compare_exchange_weak(volatile T *p, T *expected, T value, int a,   \
                                                     int b);                                       \
    T __tsan_atomic##BITS_##_compare_exchange_val(volatile T *p, T expected, T value, int a,       \
                                                  int b);                                          \
    static int cas##BITS_(volatile T *p, T *expected, T value, int order, const void *pc)          \
    {                                                                                              \
        atomic_begin((uintptr_t)p, sizeof *p, UPDATES, pc);                                        \
        order_before((uintptr_t)p, order);                                                         \
        T old, wanted = *expected;                                                                 \
        REPLACE_##BITS_(p, old, old == wanted ? value : old);                                      \
        order_after((uintptr_t)p, order);                                                          \
        if (old == wanted) return 1;                                                               \
        atomic_unchanged((uintptr_t)p, (uint64_t)old);                                             \
        *expected = old;                                                                           \
        return 0;                                                                                  \
    }                                                                                              \
    int __tsan_atomic##BITS_##_compare_exchange_strong(volatile T *p, T *expected, T value, int a, \
                                                       int b)                                      \
    {                                                                                              \
        (void)b;                                                                                   \
        return cas##BITS_(p, expected, value, a, CALLER);                                          \
    }                                                                                              \
    int __tsan_atomic##BITS_##_compare_exchange_weak(volatile T *p, T *expected, T value, int a,   \
                                                     int b)                                        \
    {                                                                                              \
        (void)b;                                                                                   \
        return cas##BITS_(p, expected, value, a, CALLER);                                          \
    }                                                                                              \
    T __tsan_atomic##BITS_##_compare_exchange_val(volatile T *p, T expected, T value, int a,       \
                                                  int b)                                           \
    {                                                                                              \
        (void)b;                                                                                   \
        cas##BITS_(p, &expected, value, a, CALLER);                                                \
        return expected;                                                                           \
    }

#define ATOMICS(BITS_, T)                                       \
    ATOMIC_LOAD_STORE(BITS_, T)                                 \
    ATOMIC_FETCH(BITS_, T, add, old + value, value == 0)        \
    ATOMIC_FETCH(BITS_, T, sub, old - value, value == 0)        \
    ATOMIC_FETCH(BITS_, T, and, old &value, value == (T) ~(T)0) \
    ATOMIC_FETCH(BITS_, T, or, old | value, value == 0)         \
    ATOMIC_FETCH(BITS_, T, xor, old ^ value, value == 0)        \
    ATOMIC_FETCH(BITS_, T, nand, ~(old & value), 0)             \
    ATOMIC_CAS(BITS_, T)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)
ATOMICS(128, Atomic128)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    if (exec_kernel) footprint_fence(), exec_run->fenced = true, shared_fence(), race_fence(false);
    else host_fenced = true;
    __atomic_thread_fence(ORDER);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }
