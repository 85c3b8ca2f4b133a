/* touch.c - the hooks that matter: aligned plain accesses of 1, 2, 4, 8 or 16 bytes.
 *
 * In a kernel such an access looks its line of the footprint up and is done when the bits are set;
 * a first write saves the old bytes. Everything unusual goes on to exec_touch.
 *
 * A site (threelane/hooks.h) whose accesses repeat what is known gets the range in which that is
 * so, and asks no more while that is so: all that has been read already, of pages that the kernel
 * only reads; private memory.
 *
 * This file is compiled without vector registers, and keeps those of its callers, who rely on it.
 */
#include <string.h>
#include "sim/exec/exec_internal.h"
#include "sim/exec/inside.h"
#include "sim/exec/race.h"
#include "sim/include/threelane/hooks.h"
#include "sim/memory/memory.h"

bool threelane_counts_in_register;
uint64_t exec_counted_from;

/* A counter in memory would make each access wait for the one before it. */
#if EXEC_COUNTS_IN_REGISTER
register uint64_t counter __asm__("r15");
static inline __attribute__((always_inline)) void count(bool has_site)
{
    if (has_site) counter++;
    else exec_accesses++;
}
#else
static inline __attribute__((always_inline)) void count(bool has_site)
{
    (void)has_site;
    exec_accesses++;
}
#endif

/* exec_touch, with the vector registers as they were. */
#if defined(__x86_64__)
void touch_on(uintptr_t address, unsigned bytes, bool write, const void *pc);
__asm__(".text\n"
        ".p2align 4\n"
        ".globl touch_on\n"
        ".type touch_on, @function\n"
        "touch_on:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset %rbp, -16\n"
        "movq %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "subq $256, %rsp\n"
        "andq $-16, %rsp\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "movaps %xmm\\n, (16 * \\n)(%rsp)\n"
        ".endr\n"
        "call exec_touch\n"
        ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
        "movaps (16 * \\n)(%rsp), %xmm\\n\n"
        ".endr\n"
        "leave\n"
        ".cfi_def_cfa %rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size touch_on, .-touch_on\n");
#else
#define touch_on exec_touch
#endif

/* ---- sites that have nothing to tell, or tell it later ---- */

enum { KNOWN = 256, LEAST_WAIT = 16, MOST_WAIT = 1 << 16 };
static ThreelaneAccess *known[KNOWN];
static unsigned n_known;

static bool know(ThreelaneAccess *site)
{
    if (site->known) return true;
    if (n_known == KNOWN || !EXEC_COUNTS_IN_REGISTER) return false;
    known[n_known++] = site;
    site->known = true;
    return true;
}

static void settle(ThreelaneAccess *site, uintptr_t begin, uintptr_t bytes)
{
    if (!know(site)) return;
    site->begin = begin;
    site->bytes = bytes;
}

/* What a site has read one after the other has been read. */
static __attribute__((noinline)) void tell_run(ThreelaneAccess *site)
{
    FootprintPage *page = footprint_arena[(site->start - footprint_base) / FOOTPRINT_PAGE];
    uintptr_t at = site->start % FOOTPRINT_PAGE, end = at + (site->next - site->start);
    if (!page || end > FOOTPRINT_PAGE) return; /* a signal has come in between, and ends it all */
    while (at < end) {
        uintptr_t stop = at / 64 * 64 + 64 < end ? at / 64 * 64 + 64 : end, n = stop - at;
        page->read[at / 64] |= (n == 64 ? ~0ull : (1ull << n) - 1) << at % 64;
        at = stop;
    }
    site->start = site->next;
}

static bool is_impatient(ThreelaneAccess *site, unsigned bytes)
{
    site->patience -= 1 + (int32_t)((site->next - site->start) / bytes);
    return site->patience < 0;
}

void touch_changed(uintptr_t page)
{
    for (unsigned i = n_known; i-- > 0;) {
        ThreelaneAccess *site = known[i];
        if (site->next - 1 - page < FOOTPRINT_PAGE) {
            if (site->start != site->next) tell_run(site);
            site->start = site->next = 0;
        }
        if (site->begin < page + FOOTPRINT_PAGE && site->begin + site->bytes > page)
            site->bytes = 0;
    }
}

void touch_forget(void)
{
    while (n_known) {
        ThreelaneAccess *site = known[--n_known];
        if (!site) continue; /* as above */
        if (site->start != site->next) tell_run(site);
        *site = (ThreelaneAccess){0};
    }
}

/* The page with that number, if it is only read; else NULL. */
static const FootprintPage *only_read(uintptr_t number)
{
    if (number >= footprint_live / FOOTPRINT_PAGE) return NULL;
    uintptr_t way = footprint_reads[number];
    return way & FOOTPRINT_FREE ? (const FootprintPage *)(way - FOOTPRINT_FREE) : NULL;
}

/* How many of its lines have been read, upwards from `line`, or downwards from below it. */
static unsigned lines_up(const FootprintPage *page, unsigned line)
{
    unsigned n = 0;
    while (line + n < FOOTPRINT_LINES && page->read[line + n] == ~0ull) n++;
    return n;
}
static unsigned lines_down(const FootprintPage *page, unsigned line)
{
    unsigned n = 0;
    while (n < line && page->read[line - 1 - n] == ~0ull) n++;
    return n;
}

/* What is read there has been read already, once more: how much around it has? Who asks in vain
 * asks ever more rarely. */
static void look_around(ThreelaneAccess *site, uintptr_t address)
{
    if (site->waits < MOST_WAIT) site->waits = site->waits ? 2 * site->waits : LEAST_WAIT;
    site->patience = site->waits;

    uintptr_t number = (address - footprint_base) / FOOTPRINT_PAGE;
    const FootprintPage *page = only_read(number);
    unsigned line = address / 64 % FOOTPRINT_LINES, budget = (unsigned)site->waits / 4, n;
    if (!page || page->read[line] != ~0ull) return;
    uintptr_t begin = address / 64 * 64, end = begin;
    n = lines_up(page, line);
    end += n * 64;
    for (uintptr_t k = number + 1; line + n == FOOTPRINT_LINES && budget; k++, budget--) {
        page = only_read(k);
        if (!page) break;
        line = 0;
        n = lines_up(page, 0);
        end += n * 64;
    }
    line = address / 64 % FOOTPRINT_LINES;
    n = lines_down(only_read(number), line);
    begin -= n * 64;
    for (uintptr_t k = number; n == line && k-- > 0 && budget; budget--) {
        page = only_read(k);
        if (!page) break;
        line = FOOTPRINT_LINES;
        n = lines_down(page, line);
        begin -= n * 64;
    }
    settle(site, begin, end - begin);
}

/* Of an access that the hook has noted: if it was the first there (fresh), it goes on where the one
 * before it ended, and those that follow may, too. */
static __attribute__((noinline)) void begin_run(ThreelaneAccess *site, uintptr_t address,
                                                unsigned bytes, bool fresh, bool goes_on)
{
    if (!fresh && is_impatient(site, bytes)) {
        look_around(site, address);
        return;
    }
    if (!goes_on) return;
    if (site->start != site->next) tell_run(site);
    if (know(site) && (bytes < 16 || address % 16 == 0)) site->start = site->next = address + bytes;
}

/* ---- the hooks ---- */

/* No frame, and everything unusual is a tail call. The size, and whether there is a site, are
 * constants for the compiler; so is pc's origin. */
#define INLINE static inline __attribute__((always_inline))
#define APART static __attribute__((noinline)) void
/* An address in the call, for the line it is on: where it returns to may belong to the next
 * line. */
#define CALLER ((const char *)__builtin_return_address(0) - 1)

/* The block's shared memory: is that all? */
INLINE bool look_shared(uintptr_t address, unsigned bytes, bool write, ThreelaneAccess *site,
                        const void *pc)
{
    const SharedRange *range = shared_range(address);
    if (!range || TOUCH_UNTIDY(bytes, address) || inside_on ||
        !shared_look(range, address, bytes, write, pc))
        return false;
    count(site != NULL);
    return true;
}

/* A thread's own memory. (In host code the cache is empty.) */
INLINE bool look_private(uintptr_t address, unsigned bytes, ThreelaneAccess *site)
{
    uintptr_t number = address / FOOTPRINT_PAGE;
    const FootprintCache *c = &footprint_cache[number % FOOTPRINT_CACHE];
    if (c->page != number || !c->plain || TOUCH_UNTIDY(bytes, address)) return false;
    count(site != NULL);
    if (site) settle(site, number * FOOTPRINT_PAGE, FOOTPRINT_PAGE);
    return true;
}

/* Host code touches memory that is nobody else's business. */
INLINE bool is_host_only(uintptr_t address, bool write)
{
    if (exec_kernel || exec_host_watched || address - memory_base < memory_span ||
        hazard_tracks(address))
        return false;
    if (write) exec_host_quiet = 0;
    return true;
}

/* What a hook did not settle at once, in the arena: pages that another look can settle. */
INLINE void read_on(uintptr_t address, unsigned bytes, const void *pc)
{
    FootprintPage *page = footprint_arena[(address - footprint_base) / FOOTPRINT_PAGE];
    if (page && !TOUCH_UNTIDY(bytes, address) && !inside_on) {
        unsigned line = address / 64 % FOOTPRINT_LINES;
        uint64_t bits = TOUCH_BITS(bytes, address);
        if ((page->ready || (page->readable[line] & bits) == bits) &&
            race_read_fast(page, address, bytes)) {
            exec_accesses++;
            page->read[line] |= bits;
            return;
        }
    }
    touch_on(address, bytes, false, pc);
}

INLINE void write_on(uintptr_t address, unsigned bytes, const void *pc)
{
    FootprintPage *page = footprint_arena[(address - footprint_base) / FOOTPRINT_PAGE];
    if (page && !TOUCH_UNTIDY(bytes, address) && !inside_on) {
        unsigned line = address / 64 % FOOTPRINT_LINES;
        uint64_t bits = TOUCH_BITS(bytes, address), held = page->held[line];
        bool first =
            !(held & bits) && page->log && (page->whole || (page->valid[line] & bits) == bits);
        if ((first || (held & bits) == bits) &&
            race_write_fast(page, address, bytes, held & bits)) {
            exec_accesses++;
            if (!first) return;
            memcpy(page->log + address % FOOTPRINT_PAGE, (const void *)address, bytes);
            page->held[line] = held | bits;
            return;
        }
    }
    touch_on(address, bytes, true, pc);
}

/* The part of a line's bits that an aligned access of up to eight bytes needs, as a byte by itself:
 * neighbours then need not wait for each other. Of 16 bytes, as two. (Both architectures are
 * little-endian.) */
#define PART(LINES, ADDRESS) ((unsigned char *)(LINES) + (ADDRESS) / 8 % (FOOTPRINT_PAGE / 8))
INLINE unsigned part_of(const uint64_t *lines, uintptr_t address, unsigned bytes)
{
    const unsigned char *part = PART(lines, address);
    return bytes == 16 ? part[0] | (unsigned)part[1] << 8 : part[0];
}
INLINE void add_part(uint64_t *lines, uintptr_t address, unsigned bytes, unsigned bits)
{
    unsigned char *part = PART(lines, address);
    part[0] |= (unsigned char)bits;
    if (bytes == 16) part[1] |= (unsigned char)(bits >> 8);
}
INLINE unsigned part_bits(uintptr_t address, unsigned bytes)
{
    return bytes >= 8 ? (1u << bytes) - 1 : ((1u << bytes) - 1) << (address & 7);
}

INLINE void read_hook(uintptr_t address, unsigned bytes, ThreelaneAccess *site, bool has_site,
                      void (*on)(uintptr_t, const void *), const void *pc)
{
    uintptr_t way = footprint_reads[(address - footprint_base) / FOOTPRINT_PAGE],
              cells = bytes < 4 ? FOOTPRINT_BYTE_CELLS : FOOTPRINT_CELLS;
    unsigned bits = part_bits(address, bytes);
    if (way & FOOTPRINT_FREE) {
        FootprintPage *page = (FootprintPage *)(way - FOOTPRINT_FREE);
        bool fresh = bits & ~part_of(page->read, address, bytes);
        if (fresh) add_part(page->read, address, bytes, bits);
        count(has_site);
        if (!has_site) return;
        bool goes_on = site->end == address;
        site->end = address + bytes;
        if (goes_on || !fresh) begin_run(site, address, bytes, fresh, goes_on);
        return;
    }

    FootprintPage *page = (FootprintPage *)(way - cells);
    if (__builtin_expect(way & cells && race_read_cells(page, address, bytes), 1)) {
        add_part(page->read, address, bytes, bits);
        count(has_site);
        return;
    }
    on(address, pc);
}

INLINE bool has_written(FootprintPage *page, bool free, uintptr_t address, unsigned bytes,
                        bool has_site)
{
    unsigned bits = part_bits(address, bytes), held = part_of(page->held, address, bytes);
    if (__builtin_expect((held & bits) == 0, 1)) {
        count(has_site);
        memcpy(page->log + address % FOOTPRINT_PAGE, (const void *)address, bytes);
        add_part(page->held, address, bytes, bits);
        return true;
    }
    if (free || bits & ~held) return false;
    count(has_site);
    return true;
}

INLINE bool write_hook(uintptr_t address, unsigned bytes, bool has_site)
{
    uintptr_t way = footprint_writes[(address - footprint_base) / FOOTPRINT_PAGE],
              cells = bytes < 4 ? FOOTPRINT_BYTE_CELLS : FOOTPRINT_CELLS;
    if (__builtin_expect(way & FOOTPRINT_FREE, 1))
        return has_written((FootprintPage *)(way - FOOTPRINT_FREE), true, address, bytes, has_site);
    FootprintPage *page = (FootprintPage *)(way - cells);
    return way & cells && race_write_cells(page, address, bytes) &&
           has_written(page, false, address, bytes, has_site);
}

INLINE bool is_outside(uintptr_t address)
{
    return __builtin_expect(address - footprint_base >= footprint_live, 0);
}

#define APARTS(BYTES)                                                                          \
    APART read_on##BYTES(uintptr_t address, const void *pc) { read_on(address, BYTES, pc); }   \
    APART write_on##BYTES(uintptr_t address, const void *pc) { write_on(address, BYTES, pc); } \
    APART read_outside##BYTES(uintptr_t address, ThreelaneAccess *site, const void *pc)        \
    {                                                                                          \
        if (!look_shared(address, BYTES, false, site, pc) && !is_host_only(address, false) &&  \
            !look_private(address, BYTES, site))                                               \
            touch_on(address, BYTES, false, pc);                                               \
    }                                                                                          \
    APART write_outside##BYTES(uintptr_t address, ThreelaneAccess *site, const void *pc)       \
    {                                                                                          \
        if (!look_shared(address, BYTES, true, site, pc) && !is_host_only(address, true) &&    \
            !look_private(address, BYTES, site))                                               \
            touch_on(address, BYTES, true, pc);                                                \
    }
#define READ(BYTES, SITE, HAS)                                                         \
    uintptr_t at = (uintptr_t)p;                                                       \
    if (is_outside(at)) read_outside##BYTES(at, SITE, CALLER);                         \
    else if (__builtin_expect(TOUCH_UNTIDY(BYTES, at), 0)) read_on##BYTES(at, CALLER); \
    else read_hook(at, BYTES, SITE, HAS, read_on##BYTES, CALLER);
#define WRITE(BYTES, SITE, HAS)                                                           \
    uintptr_t at = (uintptr_t)p;                                                          \
    if (is_outside(at)) write_outside##BYTES(at, SITE, CALLER);                           \
    else if (__builtin_expect(TOUCH_UNTIDY(BYTES, at), 0) || !write_hook(at, BYTES, HAS)) \
        write_on##BYTES(at, CALLER);

/* By the compiler's own name, too, for code that has no sites. */
#define HOOKS(BYTES)                                                                         \
    APARTS(BYTES)                                                                            \
    void threelane_read##BYTES(void *p, ThreelaneAccess *site);                              \
    void threelane_write##BYTES(void *p, ThreelaneAccess *site);                             \
    void __tsan_read##BYTES(void *p);                                                        \
    void __tsan_write##BYTES(void *p);                                                       \
    void threelane_read##BYTES(void *p, ThreelaneAccess *site) { READ(BYTES, site, true) }   \
    void threelane_write##BYTES(void *p, ThreelaneAccess *site) { WRITE(BYTES, site, true) } \
    void __tsan_read##BYTES(void *p) { READ(BYTES, NULL, false) }                            \
    void __tsan_write##BYTES(void *p) { WRITE(BYTES, NULL, false) }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
