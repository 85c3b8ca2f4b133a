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
_Thread_local uint64_t exec_counted_from;

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

/* exec_touch, and what notes accesses with libc's help, with the vector registers as they were. */
#if defined(__x86_64__)
#define KEEPING_VECTORS(NAME, TO)                                            \
    __asm__(".text\n"                                                        \
            ".p2align 4\n"                                                   \
            ".globl " #NAME "\n"                                             \
            ".type " #NAME ", @function\n" #NAME ":\n"                       \
            ".cfi_startproc\n"                                               \
            "pushq %rbp\n"                                                   \
            ".cfi_def_cfa_offset 16\n"                                       \
            ".cfi_offset %rbp, -16\n"                                        \
            "movq %rsp, %rbp\n"                                              \
            ".cfi_def_cfa_register %rbp\n"                                   \
            "subq $256, %rsp\n"                                              \
            "andq $-16, %rsp\n"                                              \
            ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n" \
            "movaps %xmm\\n, (16 * \\n)(%rsp)\n"                             \
            ".endr\n"                                                        \
            "call " #TO "\n"                                                 \
            ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n" \
            "movaps (16 * \\n)(%rsp), %xmm\\n\n"                             \
            ".endr\n"                                                        \
            "leave\n"                                                        \
            ".cfi_def_cfa %rsp, 8\n"                                         \
            "ret\n"                                                          \
            ".cfi_endproc\n"                                                 \
            ".size " #NAME ", .-" #NAME "\n")
void touch_on(uintptr_t address, unsigned bytes, bool write, const void *pc);
KEEPING_VECTORS(touch_on, exec_touch);
KEEPING_VECTORS(touch_turn_on, touch_turn);
KEEPING_VECTORS(touch_settle_on, touch_changed);
KEEPING_VECTORS(touch_quit_on, touch_quit);
#else
#define touch_on exec_touch
#define touch_turn_on touch_turn
#define touch_settle_on touch_changed
#define touch_quit_on touch_quit
#endif
void touch_turn_on(ThreelaneAccess *site, unsigned how, uint64_t step, const void *pc);
void touch_settle_on(uintptr_t page);
void touch_quit_on(ThreelaneAccess *site);

/* ---- sites that have nothing to tell, or tell it later ---- */

enum { KNOWN = 256, LEAST_WAIT = 4, MOST_WAIT = 14 };         /* powers of two */
enum { IS_KNOWN = 1, WRITES = 2, HAS_RUN = 4, IS_TIRED = 8 }; /* flags of a site */
enum { MOST_MERIT = 64 }; /* of runs with turns; as much less than 0, and the site is tired */
static ThreelaneAccess *known[KNOWN];
static unsigned n_known;
static bool any_turns; /* has one of them had a turn? */

static bool know(ThreelaneAccess *site)
{
    if (site->flags & IS_KNOWN) return true;
    if (n_known == KNOWN || !EXEC_COUNTS_IN_REGISTER) return false;
    known[n_known++] = site;
    site->flags |= IS_KNOWN;
    return true;
}

static void settle(ThreelaneAccess *site, uintptr_t begin, uintptr_t bytes)
{
    if (!know(site)) return;
    site->begin = begin;
    site->bytes = bytes;
}

/* Of what has a rank above it: the address. */
static inline uintptr_t place(uint64_t turn)
{
    return turn & (((uint64_t)1 << THREELANE_TURN_SHIFT) - 1);
}

static FootprintPage *page_at(uintptr_t address)
{
    return footprint_arena[(address - footprint_base) / FOOTPRINT_PAGE];
}

/* Bits of the line at `line` (in the page) that lie in [at, end). */
static inline uint64_t line_bits(uintptr_t line, uintptr_t at, uintptr_t end)
{
    uintptr_t a = at > line ? at - line : 0, b = end < line + 64 ? end - line : 64;
    return (b - a == 64 ? ~0ull : (1ull << (b - a)) - 1) << a;
}

static void add_bits(uint64_t *lines, uintptr_t at, uintptr_t end)
{
    for (uintptr_t line = at / 64 * 64; line < end; line += 64)
        lines[line / 64] |= line_bits(line, at, end);
}

static bool has_bits(const uint64_t *lines, uintptr_t at, uintptr_t end)
{
    for (uintptr_t line = at / 64 * 64; line < end; line += 64)
        if (lines[line / 64] & line_bits(line, at, end)) return true;
    return false;
}

/* What a site has read one after the other has been read. */
static __attribute__((noinline)) void tell_run(ThreelaneAccess *site)
{
    uintptr_t begin = place(site->start), bytes = site->next - begin;
    FootprintPage *page = page_at(begin);
    site->start = site->next;
    begin %= FOOTPRINT_PAGE;
    if (!page || begin + bytes > FOOTPRINT_PAGE)
        return; /* a signal has come in between, and ends
                   it all */
    add_bits(page->read, begin, begin + bytes);
}

/* The accesses of a run with turns, one after the other, as the hooks would have noted them. */
static void tell_each(FootprintPage *page, uintptr_t address, uintptr_t end, unsigned bytes,
                      uint32_t rank, uint32_t step, bool write, const void *pc)
{
    ThreelaneSelf self = threelane_self;
    threelane_self.thread[0] = 0;
    for (; address < end; address += bytes, rank += step) {
        uint64_t *lines = write ? page->held : page->read;
        uintptr_t at = address % FOOTPRINT_PAGE;
        bool again = write && has_bits(page->held, at, at + bytes);
        threelane_self.row = rank | THREELANE_LOST; /* others have run */
        add_bits(lines, at, at + bytes);
        if (!(write ? race_write_fast(page, address, bytes, again)
                    : race_read_fast(page, address, bytes)))
            race_access(address, bytes, write ? SHARED_WRITE : SHARED_READ, again, pc);
    }
    threelane_self = self;
}

static uintptr_t turns_bytes(const ThreelaneAccess *site)
{
    return place(site->turn) - place(site->start);
}

/* The same, of a run with turns. */
static void tell_turns(ThreelaneAccess *site)
{
    uint64_t start = site->start, bytes = turns_bytes(site), step = site->step;
    uintptr_t address = place(start), at = address % FOOTPRINT_PAGE;
    unsigned size = (unsigned)place(step), each = size / 4;
    uint32_t rank = (uint32_t)(start >> THREELANE_TURN_SHIFT);
    uint32_t steps = (uint32_t)(step >> THREELANE_TURN_SHIFT);
    bool write = site->flags & WRITES;
    FootprintPage *page = page_at(address);
    int length = (int)(bytes >> __builtin_ctz(size)), merit = site->patience + length;
    site->patience = (int16_t)(merit < MOST_MERIT ? merit : MOST_MERIT);
    site->flags |= HAS_RUN;
    site->start = site->turn;
    if (!page || at + bytes > FOOTPRINT_PAGE) return; /* as above */

    uint64_t *lines = write ? page->held : page->read;
    bool easy = !race_on || (write ? page->only_written : page->only_read);
    if (easy && write && race_on) easy = !has_bits(lines, at, at + bytes);
    if (!easy && page->cells && each)
        easy = race_run(page, address, (unsigned)(bytes / 4), each, rank, steps, write);
    if (easy) add_bits(lines, at, at + bytes);
    else
        tell_each(page, address, address + bytes, size, rank, steps, write,
                  (const char *)&threelane_turn + site->pc);
}

static void tell(ThreelaneAccess *site)
{
    if (site->next && place(site->start) != site->next) tell_run(site);
    if (site->turn && site->start != site->turn) tell_turns(site);
}

static void rest(ThreelaneAccess *site)
{
    if (site->waits < MOST_WAIT) site->waits = site->waits ? site->waits + 1 : LEAST_WAIT;
    site->patience = (int16_t)((1 << site->waits) - 1);
}

static bool is_impatient(ThreelaneAccess *site, unsigned bytes)
{
    uintptr_t run = site->next ? (site->next - site->start) >> __builtin_ctz(bytes) : 0;
    if (site->patience < (int)run + 1) return true;
    site->patience -= (int16_t)(1 + run);
    return false;
}

void touch_changed(uintptr_t page)
{
    if (page - footprint_base >= footprint_live) return; /* there are no runs */
    FootprintPage *shadow = page_at(page);
    if (shadow) shadow->runs = false;
    for (unsigned i = n_known; i-- > 0;) {
        ThreelaneAccess *site = known[i];
        if ((site->next && site->next - 1 - page < FOOTPRINT_PAGE) ||
            (site->turn && place(site->turn) - 1 - page < FOOTPRINT_PAGE)) {
            tell(site);
            site->start = site->next = site->turn = 0;
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
        tell(site);
        *site = (ThreelaneAccess){0};
    }
    any_turns = false;
}

void touch_tell(void)
{
    for (unsigned i = 0; any_turns && i < n_known; i++)
        if (known[i]->turn && known[i]->start != known[i]->turn) tell_turns(known[i]);
}

/* A site that had its turn in the last thread's place goes on with the first's. */
void touch_new_block(uint32_t threads)
{
    uint64_t all = (uint64_t)threads << THREELANE_TURN_SHIFT;
    for (unsigned i = 0; any_turns && i < n_known; i++) {
        ThreelaneAccess *site = known[i];
        if (!site->turn || site->turn >> THREELANE_TURN_SHIFT != threads) continue;
        if (site->start != site->turn) tell_turns(site);
        if (!site->turn) continue; /* the page has changed meanwhile */
        site->turn -= all;
        site->start = site->turn;
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
    rest(site);

    uintptr_t number = (address - footprint_base) / FOOTPRINT_PAGE;
    const FootprintPage *page = only_read(number);
    unsigned line = address / 64 % FOOTPRINT_LINES, budget = (1u << site->waits) / 64, n;
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

/* The site's run is over. */
void touch_quit(ThreelaneAccess *site);
void touch_quit(ThreelaneAccess *site)
{
    tell(site);
    site->start = site->next = site->turn = site->step = 0;
}

/* Of an access that the hook has noted, in a page that is only read: if it goes on where the one
 * before it ended, those that follow may, too; or if many have done so until now. fresh: it is the
 * first there. */
static __attribute__((noinline)) void begin_run(ThreelaneAccess *site, uintptr_t address,
                                                unsigned bytes, bool fresh, bool goes_on)
{
    enum { MANY = 4 };
    if (!fresh && is_impatient(site, bytes)) look_around(site, address);
    if (site->turn) touch_quit_on(site);
    if (site->next) {
        goes_on = goes_on || site->next - site->start >= (uintptr_t)MANY * bytes;
        if (site->next != site->start) tell_run(site);
    }
    site->next = 0;
    if (!goes_on || !know(site) || (bytes == 16 && address % 16)) return;
    site->start = site->next = address + bytes;
    page_at(address)->runs = true;
}

/* Of one in another page, at site->last. step: to the next one, if it came by such a step itself;
 * or 0. What runs cost and what they save is kept in patience: where they are short, they are left
 * alone for a while. */
enum { IS_WRITE = 256, OF_A_RUN = 8, OF_A_PAGE = 16 };
void touch_turn(ThreelaneAccess *site, unsigned how, uint64_t step, const void *pc);
void touch_turn(ThreelaneAccess *site, unsigned how, uint64_t step, const void *pc)
{
    unsigned bytes = how % IS_WRITE;
    uintptr_t address = place(site->last);
    FootprintPage *page = page_at(address);
    bool write = how & IS_WRITE;

    if (!know(site)) return;
    tell(site);
    site->next = site->turn = 0;
    if (step || !(site->flags & HAS_RUN)) site->step = step;
    site->flags &= (uint8_t)~HAS_RUN;
    if (!site->step || (bytes == 16 && address % 16) || (race_on && page->byte_cells)) return;
    site->patience -= write && !page->filled ? OF_A_RUN + OF_A_PAGE : OF_A_RUN;
    if (site->patience < -MOST_MERIT) {
        site->step = 0;
        site->flags |= IS_TIRED;
        rest(site);
        return;
    }

    if (write) footprint_fill(page);
    site->start = site->turn = site->last + site->step;
    site->flags |= write ? WRITES : 0;
    site->pc = (int32_t)((const char *)pc - (const char *)&threelane_turn);
    page->runs = any_turns = true;
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

/* An access has been noted whose turn counts: may those that follow go on with it? */
INLINE void follow(ThreelaneAccess *site, uintptr_t address, unsigned bytes, bool write,
                   const void *pc)
{
    uint64_t here = threelane_turn + address, step = here - site->last;
    bool goes_on = step == bytes || step == ((uint64_t)1 << THREELANE_TURN_SHIFT) + bytes;
    site->last = here;
    if (!goes_on && !site->step) return;
    if (site->flags & IS_TIRED) {
        if (--site->patience <= 0) site->flags &= (uint8_t)~IS_TIRED;
        return;
    }
    touch_turn_on(site, bytes | (write ? IS_WRITE : 0), goes_on ? step : 0, pc);
}

/* What a hook did not settle at once, in the arena: pages that another look can settle. */
INLINE void read_on(uintptr_t address, unsigned bytes, const void *pc)
{
    FootprintPage *page = page_at(address);
    if (page && page->runs) touch_settle_on(page->address);
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
    FootprintPage *page = page_at(address);
    if (page && page->runs) touch_settle_on(page->address);
    if (page && !TOUCH_UNTIDY(bytes, address) && !inside_on) {
        unsigned line = address / 64 % FOOTPRINT_LINES;
        uint64_t bits = TOUCH_BITS(bytes, address), held = page->held[line];
        bool first =
            !(held & bits) && page->log && (page->whole || (page->valid[line] & bits) == bits);
        if ((first || (held & bits) == bits) &&
            race_write_fast(page, address, bytes, held & bits)) {
            exec_accesses++;
            if (!first) return;
            if (!page->filled)
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
        bool goes_on = place(site->last) + bytes == address;
        site->last = threelane_turn + address;
        if (goes_on || !fresh || site->next) begin_run(site, address, bytes, fresh, goes_on);
        return;
    }

    FootprintPage *page = (FootprintPage *)(way - cells);
    if (__builtin_expect(way & cells && race_read_cells(page, address, bytes), 1)) {
        add_part(page->read, address, bytes, bits);
        count(has_site);
        if (has_site && bytes >= 4) follow(site, address, bytes, false, pc);
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
        if (!page->filled)
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
#define READ(BYTES, SITE, HAS, PC)                                                 \
    uintptr_t at = (uintptr_t)p;                                                   \
    if (is_outside(at)) read_outside##BYTES(at, SITE, PC);                         \
    else if (__builtin_expect(TOUCH_UNTIDY(BYTES, at), 0)) read_on##BYTES(at, PC); \
    else read_hook(at, BYTES, SITE, HAS, read_on##BYTES, PC);
#define WRITE(BYTES, SITE, HAS, PC)                                                       \
    uintptr_t at = (uintptr_t)p;                                                          \
    if (is_outside(at)) write_outside##BYTES(at, SITE, PC);                               \
    else if (__builtin_expect(TOUCH_UNTIDY(BYTES, at), 0) || !write_hook(at, BYTES, HAS)) \
        write_on##BYTES(at, PC);                                                          \
    else if (HAS) follow(SITE, at, BYTES, true, PC);

/* Of code with sites, whose compiler counts on few registers to change (threelane/hooks.h): the
 * usual ones are kept. A read whose turn it is ends here: the loops with the most reads have theirs
 * settled before that. */
#if defined(__x86_64__)
#define OF_READS                        \
    "movq threelane_turn(%rip), %rax\n" \
    "addq %rdi, %rax\n"                 \
    "cmpq %rax, 24(%rsi)\n"             \
    "jne 1f\n"                          \
    "testl $4095, %edi\n"               \
    "je 1f\n"                           \
    "addq 32(%rsi), %rax\n"             \
    "movq %rax, 24(%rsi)\n"             \
    "incq %r15\n"                       \
    "ret\n"                             \
    "1:\n"
#define OF_WRITES ""
#define OF_A_SITE(NAME, TO, FIRST)                         \
    void TO(void *p, ThreelaneAccess *site, const void *); \
    __asm__(".text\n"                                      \
            ".p2align 4\n"                                 \
            ".globl " #NAME "\n"                           \
            ".type " #NAME ", @function\n" #NAME ":\n"     \
            ".cfi_startproc\n" FIRST "subq $56, %rsp\n"    \
            ".cfi_adjust_cfa_offset 56\n"                  \
            "movq %rcx, (%rsp)\n"                          \
            "movq %rdx, 8(%rsp)\n"                         \
            "movq %r8, 16(%rsp)\n"                         \
            "movq %r9, 24(%rsp)\n"                         \
            "movq %r10, 32(%rsp)\n"                        \
            "movq %r11, 40(%rsp)\n"                        \
            "movq 56(%rsp), %rdx\n"                        \
            "decq %rdx\n"                                  \
            "call " #TO "\n"                               \
            "movq (%rsp), %rcx\n"                          \
            "movq 8(%rsp), %rdx\n"                         \
            "movq 16(%rsp), %r8\n"                         \
            "movq 24(%rsp), %r9\n"                         \
            "movq 32(%rsp), %r10\n"                        \
            "movq 40(%rsp), %r11\n"                        \
            "addq $56, %rsp\n"                             \
            ".cfi_adjust_cfa_offset -56\n"                 \
            "ret\n"                                        \
            ".cfi_endproc\n"                               \
            ".size " #NAME ", .-" #NAME "\n")
_Static_assert(offsetof(ThreelaneAccess, turn) == 24 && offsetof(ThreelaneAccess, step) == 32,
               "as OF_READS has it");
#define OF_SITES(BYTES)                                                     \
    OF_A_SITE(threelane_read##BYTES, touch_read##BYTES, OF_READS);          \
    OF_A_SITE(threelane_write##BYTES, touch_write##BYTES, OF_WRITES);       \
    void touch_read##BYTES(void *p, ThreelaneAccess *site, const void *pc)  \
    {                                                                       \
        READ(BYTES, site, true, pc)                                         \
    }                                                                       \
    void touch_write##BYTES(void *p, ThreelaneAccess *site, const void *pc) \
    {                                                                       \
        WRITE(BYTES, site, true, pc)                                        \
    }
#else
#define OF_SITES(BYTES)
#endif

/* By the compiler's own name, too, for code that has no sites. */
#define HOOKS(BYTES)                                                      \
    APARTS(BYTES)                                                         \
    OF_SITES(BYTES)                                                       \
    void __tsan_read##BYTES(void *p);                                     \
    void __tsan_write##BYTES(void *p);                                    \
    void __tsan_read##BYTES(void *p) { READ(BYTES, NULL, false, CALLER) } \
    void __tsan_write##BYTES(void *p) { WRITE(BYTES, NULL, false, CALLER) }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
