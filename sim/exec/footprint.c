/* footprint.c - see footprint.h. */
#include <elf.h>
#include <link.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sim/fiber/fiber.h"
#include "sim/exec/footprint.h"
#include "sim/exec/exec_internal.h"
#include "sim/exec/inside.h"
#include "sim/hazard/symbols.h"
#include "sim/include/threelane/self.h"
#include "sim/light/light.h"
#include "sim/memory/memory.h"
#include "sim/memory/peers.h"
#include "sim/memory/variables.h"

FootprintPage **footprint_arena;
uintptr_t *footprint_reads, *footprint_writes;
uintptr_t footprint_base, footprint_live;
FootprintCache footprint_cache[FOOTPRINT_CACHE] = {{UINTPTR_MAX, NULL, false}}; /* the rest:
                                                                                   empty_cache */

enum { CHUNK = 256, HASH = 8192, GRANULE = 256 };

static Footprint *live;
static FootprintPage *free_pages;
static void *free_olds, *free_atomics;
static FootprintPage *outside[HASH]; /* live pages that are not in the arena */
static uintptr_t table_span;         /* bytes that footprint_arena covers: the arena, or nothing */

typedef struct Segment {
    uintptr_t begin, end;
    bool writable, ours;
} Segment;
static Segment segments[512];
static int n_segments;
static uintptr_t tls_begin, tls_end;
uintptr_t footprint_tls_pages, footprint_tls_page_bytes;
static struct {
    uintptr_t begin, end;
} only[2]; /* exec_only_variables */
static bool limited;

static int note_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    bool *first = arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && n_segments < (int)(sizeof segments / sizeof *segments)) {
            uintptr_t begin = info->dlpi_addr + h->p_vaddr;
            segments[n_segments++] =
                (Segment){begin, begin + h->p_memsz, (h->p_flags & PF_W) != 0, *first};
        }
        if (h->p_type == PT_TLS && *first && info->dlpi_tls_data) {
            tls_begin = (uintptr_t)info->dlpi_tls_data;
            tls_end = tls_begin + h->p_memsz;
            threelane_static_at = tls_begin;
            threelane_static_bytes = h->p_memsz;
            footprint_tls_pages = tls_begin / FOOTPRINT_PAGE * FOOTPRINT_PAGE;
            footprint_tls_page_bytes =
                (tls_end + FOOTPRINT_PAGE - 1) / FOOTPRINT_PAGE * FOOTPRINT_PAGE -
                footprint_tls_pages;
        }
    }
    *first = false; /* the program itself comes first */
    return 0;
}

void footprint_tls(void **begin, size_t *bytes)
{
    *begin = (void *)tls_begin;
    *bytes = tls_end - tls_begin;
}

enum { OWN_MOST = 32, OWN_BYTES = 1024 };
static struct {
    void *at;
    size_t bytes;
} own_variable[OWN_MOST];
static int n_own;
static size_t own_bytes;

void footprint_tls_own(void *variable, size_t bytes)
{
    if (n_own == OWN_MOST || own_bytes + bytes > OWN_BYTES) abort();
    own_variable[n_own].at = variable;
    own_variable[n_own++].bytes = bytes;
    own_bytes += bytes;
}

void footprint_tls_bring(const void *copy)
{
    char kept[OWN_BYTES], *at = kept;
    for (int i = 0; i < n_own; at += own_variable[i++].bytes)
        memcpy(at, own_variable[i].at, own_variable[i].bytes);
    memcpy((void *)tls_begin, copy, tls_end - tls_begin);
    at = kept;
    for (int i = 0; i < n_own; at += own_variable[i++].bytes)
        memcpy(own_variable[i].at, at, own_variable[i].bytes);
}

bool footprint_beside_tls(uintptr_t address)
{
    return address - footprint_tls_pages < footprint_tls_page_bytes &&
           (address < tls_begin || address >= tls_end);
}

void exec_only_variables(const char *begin, const char *end, const char *begin2, const char *end2)
{
    only[0].begin = (uintptr_t)begin, only[0].end = (uintptr_t)end;
    only[1].begin = (uintptr_t)begin2, only[1].end = (uintptr_t)end2;
    limited = true;
}

static void empty_cache(void) /* no page has the number 2^64 - 1 */
{
    for (int i = 0; i < FOOTPRINT_CACHE; i++)
        footprint_cache[i] = (FootprintCache){UINTPTR_MAX, NULL, false};
}

void footprint_init(void)
{
    static bool done;
    if (done) return;
    done = true;
    empty_cache();
    /* Used only where pages were touched: most of it never becomes real. Where there is no address
     * space for it (a limit, many devices), the arena's pages are found like all others. */
    size_t pages = memory_span / FOOTPRINT_PAGE + 1;
    void *at = mmap(NULL, 3 * pages * sizeof(uintptr_t), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED) {
        footprint_arena = at;
        footprint_reads = (uintptr_t *)at + pages;
        footprint_writes = (uintptr_t *)at + 2 * pages;
        footprint_base = memory_base;
        table_span = memory_span;
    }
    bool first = true;
    dl_iterate_phdr(note_object, &first);
}

static bool in_table(uintptr_t address) { return address - footprint_base < table_span; }

void footprint_ways(const FootprintPage *page)
{
    if (!in_table(page->address)) return;
    size_t i = (page->address - footprint_base) / FOOTPRINT_PAGE;
    uintptr_t way = (uintptr_t)page + (page->cells        ? FOOTPRINT_CELLS
                                       : page->byte_cells ? FOOTPRINT_BYTE_CELLS
                                                          : 0),
              free = (uintptr_t)page + FOOTPRINT_FREE;
    if (footprint_reads[i] == free && (!page->ready || inside_on || (!page->only_read && race_on)))
        touch_changed(page->address);
    footprint_reads[i] = !page->ready || inside_on ? 0 : page->only_read || !race_on ? free : way;
    footprint_writes[i] = !page->whole || !page->log || inside_on ? 0
                          : page->only_written || !race_on        ? free
                                                                  : way;
}

/* CHUNK pieces of memory at a time. A piece is not touched before it is wanted: most programs want
 * a few, and the system clears each page that is touched. */
typedef struct Stock {
    char *next;
    int left;
} Stock;
static Stock new_pages, new_olds;

static void *new_piece(Stock *stock, size_t bytes)
{
    if (!stock->left) *stock = (Stock){exec_allocate(CHUNK * bytes), CHUNK};
    void *piece = stock->next;
    stock->next += bytes;
    stock->left--;
    return piece;
}

static FootprintPage *page_new(uintptr_t address)
{
    FootprintPage *page = free_pages;
    if (page) free_pages = page->next;
    else page = new_piece(&new_pages, sizeof *page);
    memset(page, 0, offsetof(FootprintPage, readable));
    page->address = address;
    return page;
}

/* ---- what stores that have landed replaced ---- */

typedef struct Replaced {
    uintptr_t line;
    uint64_t bits;
    unsigned char bytes[64];
} Replaced;
enum { MOST_REPLACED = 1 << 20 };
static Replaced *replaced;
static size_t n_replaced, room_replaced;
static bool keeping;

void footprint_keep(bool keep)
{
    keeping = keep;
    n_replaced = 0;
}

static void keep_line(const FootprintPage *page, unsigned line, uint64_t bits)
{
    if (!keeping || !bits) return;
    if (n_replaced == room_replaced) {
        size_t room = room_replaced ? 2 * room_replaced : 256;
        Replaced *more = room <= MOST_REPLACED ? realloc(replaced, room * sizeof *more) : NULL;
        if (!more) {
            keeping = false;
            return;
        }
        replaced = more;
        room_replaced = room;
    }
    Replaced *r = &replaced[n_replaced++];
    *r = (Replaced){.line = page->address + line * 64, .bits = bits};
    for (uint64_t rest = bits; rest; rest &= rest - 1) {
        int k = __builtin_ctzll(rest);
        bool kept = page->held[line] >> k & 1 || (page->light && page->filled);
        r->bytes[k] =
            kept ? page->old[line * 64 + (unsigned)k] : ((const unsigned char *)r->line)[k];
    }
}

bool footprint_undo(Footprint *f)
{
    if (!keeping || f->lands) return false;
    while (n_replaced) {
        const Replaced *r = &replaced[--n_replaced];
        for (uint64_t rest = r->bits; rest; rest &= rest - 1) {
            int k = __builtin_ctzll(rest);
            ((unsigned char *)r->line)[k] = r->bytes[k];
        }
    }
    footprint_free(f);
    return true;
}

static void give_old_back(FootprintPage *page)
{
    if (page->old && !page->lent) {
        *(void **)page->old = free_olds;
        free_olds = page->old;
    }
    page->old = NULL;
}

static void page_free(FootprintPage *page)
{
    race_page_gone(page);
    if (page->atomic) {
        *(void **)page->atomic = free_atomics;
        free_atomics = page->atomic;
        page->atomic = NULL;
    }
    give_old_back(page);
    page->next = free_pages;
    free_pages = page;
}

void footprint_fill(FootprintPage *page)
{
    if (page->filled) return;
    for (int i = 0; i < FOOTPRINT_LINES; i++) {
        unsigned char *log = page->log + i * 64;
        const unsigned char *memory = (const unsigned char *)page->address + i * 64;
        if (!page->held[i]) memcpy(log, memory, 64);
        else
            for (uint64_t rest = ~page->held[i]; rest; rest &= rest - 1) {
                int k = __builtin_ctzll(rest);
                log[k] = memory[k];
            }
    }
    page->filled = true;
}

void footprint_hold_page(FootprintPage *page)
{
    if (!page->old) {
        page->old = free_olds;
        if (free_olds) free_olds = *(void **)free_olds;
        else page->old = new_piece(&new_olds, FOOTPRINT_PAGE);
    }
    if (!page->log) {
        page->log = page->old;
        page->next_dirty = live->dirty;
        live->dirty = page;
    }
    footprint_ways(page);
}

static unsigned hash(uintptr_t address)
{
    return (unsigned)((address / FOOTPRINT_PAGE * 0x9E3779B97F4A7C15ull) >> 40) % HASH;
}

/* Bits of the line at `line` (an address) that lie in [begin, end). */
static uint64_t bits_in(uintptr_t line, uintptr_t begin, uintptr_t end)
{
    uintptr_t a = begin > line ? begin - line : 0, b = end < line + 64 ? end - line : 64;
    if (end <= line || begin >= line + 64 || a >= b) return 0;
    return (b - a == 64 ? ~0ull : (1ull << (b - a)) - 1) << a;
}

static bool is_ones(const uint64_t *bits)
{
    uint64_t all = ~0ull;
    for (int i = 0; i < FOOTPRINT_LINES; i++) all &= bits[i];
    return all == ~0ull;
}

static void allow(FootprintPage *page, uintptr_t begin, uintptr_t end)
{
    if (begin <= page->address && end >= page->address + FOOTPRINT_PAGE) {
        memset(page->valid, 0xff, sizeof page->valid);
        page->whole = true;
        return;
    }
    for (int i = 0; i < FOOTPRINT_LINES; i++)
        page->valid[i] |= bits_in(page->address + (uintptr_t)i * 64, begin, end);
}

static void allow_block(const MemoryBlock *block, void *arg)
{
    FootprintPage *page = arg;
    if (block->address < page->address + FOOTPRINT_PAGE &&
        block->address + block->bytes > page->address) {
        allow(page, block->address, block->address + block->bytes);
        page->counts = true;
    }
}

static bool in_arena(uintptr_t address) { return address - memory_base < memory_span; }

static void allow_arena(const Footprint *f, FootprintPage *page)
{
    uintptr_t at = page->address, end = page->address + FOOTPRINT_PAGE;
    page->counts = true;
    while (at < end) {
        const MemoryBlock *block = memory_find((void *)at);
        if (!block || !peers_reach(f->device, block)) {
            at += GRANULE;
            continue;
        }
        allow(page, block->address, block->address + block->bytes);
        uintptr_t next = (block->address + block->bytes + GRANULE - 1) / GRANULE * GRANULE;
        at = next > at ? next : at + GRANULE;
    }
}

/* Private memory: nothing to log there. */
static void allow_private(FootprintPage *page, uintptr_t begin, uintptr_t end)
{
    for (int i = 0; i < FOOTPRINT_LINES; i++) {
        uint64_t bits = bits_in(page->address + (uintptr_t)i * 64, begin, end);
        page->valid[i] |= bits, page->read[i] |= bits, page->wrote[i] |= bits,
            page->held[i] |= bits;
    }
}

static void look_whole(FootprintPage *page)
{
    for (int i = 0; i < FOOTPRINT_LINES && !page->whole; i++)
        if (page->valid[i] != ~0ull) return;
    page->whole = true;
}

typedef void EachBlock(FootprintPage *page, MemoryBlock *block);
static void each_block(FootprintPage *page, EachBlock *visit)
{
    for (uintptr_t at = page->address, end = at + FOOTPRINT_PAGE; at < end;) {
        MemoryBlock *block = memory_find((void *)at);
        if (!block) {
            at += GRANULE;
            continue;
        }
        visit(page, block);
        uintptr_t next = (block->address + block->bytes + GRANULE - 1) / GRANULE * GRANULE;
        at = next > at ? next : at + GRANULE;
    }
}

static void allow_reads(FootprintPage *page, MemoryBlock *block)
{
    const uint64_t *bits = written_page(block->written, page->address / FOOTPRINT_PAGE);
    for (int i = 0; i < FOOTPRINT_LINES; i++)
        page->readable[i] |= bits[i] & bits_in(page->address + (uintptr_t)i * 64, block->address,
                                               block->address + block->bytes);
}

/* What may be read: all that is valid, but of device memory only what has been written. again: what
 * could be read stays so. */
static void look_readable(FootprintPage *page, bool again)
{
    page->ready = page->whole;
    if (!page->counts || page->address - memory_base >= memory_device_span ||
        !memory_watch_written) {
        if (!page->ready) memcpy(page->readable, page->valid, sizeof page->readable);
        return;
    }
    const MemoryBlock *block = page->whole ? memory_find((void *)page->address) : NULL;
    if (block && block->address + block->bytes >= page->address + FOOTPRINT_PAGE &&
        (!block->written || is_ones(written_page(block->written, page->address / FOOTPRINT_PAGE))))
        return;
    page->ready = false;
    if (!again) memset(page->readable, 0, sizeof page->readable);
    each_block(page, allow_reads);
}

static void note_written(FootprintPage *page, MemoryBlock *block)
{
    if (!block->written) return;
    written_add_page(block->written, page->address / FOOTPRINT_PAGE, page->wrote);
    if (!written_all(block->written)) return;
    written_free(block->written);
    block->written = NULL;
}

/* What the kernel has written in memory so far has been written. */
static void note_writes(const Footprint *f)
{
    if (inside_on) return; /* it is undone */
    for (FootprintPage *page = f->pages; page; page = page->next)
        if (!page->ready && page->counts && page->address - memory_base < memory_device_span)
            each_block(page, note_written);
}

static void allow_variable(const Variable *variable, void *page)
{
    allow(page, variable->address, variable->address + variable->bytes);
}

/* The program's variables. What is between them is nobody's, as far as that is known. */
static void allow_program(FootprintPage *page, const Segment *s)
{
    uintptr_t begin = page->address > s->begin ? page->address : s->begin,
              end = page->address + FOOTPRINT_PAGE;
    if (end > s->end) end = s->end;
    for (uintptr_t line = begin / 64 * 64; line < end; line += 64) {
        uintptr_t a = line > begin ? line : begin, b = line + 64 < end ? line + 64 : end;
        if (!symbols_know(a, b)) allow(page, a, b);
    }
    symbols_each(begin, end, allow_variable, page);
}

static FootprintPage *page_outside(uintptr_t address)
{
    uintptr_t begin = address / FOOTPRINT_PAGE * FOOTPRINT_PAGE, end = begin + FOOTPRINT_PAGE;
    bool guard = false;
    if ((fiber_owns(address, &guard) && !guard) || exec_is_closure(address) || cluster_has(begin) ||
        begin - (uintptr_t)threelane_dynamic_shared < THREELANE_DYNAMIC_SHARED ||
        begin == (uintptr_t)threelane_block_index || begin == (uintptr_t)threelane_block_dim ||
        begin == (uintptr_t)threelane_grid_dim)
        return NULL;
    if (tls_begin < end && tls_end > begin) return NULL;
    FootprintPage *page = page_new(begin);
    if (in_arena(address)) {
        allow_arena(live, page);
        return page;
    }
    for (int i = 0; i < n_segments; i++) {
        const Segment *s = &segments[i];
        if (s->begin >= end || s->end <= begin) continue;
        if (s->writable && limited) {
            for (int k = 0; k < 2; k++) allow(page, only[k].begin, only[k].end);
            page->counts = true;
        } else if (s->writable && s->ours) { /* __device__ variables are ordinary variables of the
                                                program */
            allow_program(page, s);
            page->counts = true;
        } else {
            allow_private(page, s->begin, s->end);
        }
    }
    memory_each(allow_block, page); /* registered host memory */
    return page;
}

/* Has the page shared memory of the kernel's block? */
static bool has_shared(uintptr_t begin)
{
    return begin - (uintptr_t)threelane_dynamic_shared < THREELANE_DYNAMIC_SHARED ||
           cluster_has(begin) || begin - footprint_tls_pages < footprint_tls_page_bytes;
}

static FootprintPage *own_variables(uintptr_t begin);
static void look_light(FootprintPage *page);

FootprintPage *footprint_page(uintptr_t address)
{
    uintptr_t begin = address / FOOTPRINT_PAGE * FOOTPRINT_PAGE;
    if (in_table(address)) {
        FootprintPage **slot = &footprint_arena[(address - footprint_base) / FOOTPRINT_PAGE];
        if (!*slot) *slot = own_variables(begin);
        if (!*slot) {
            *slot = page_new(begin);
            allow_arena(live, *slot);
            look_whole(*slot);
            look_readable(*slot, false);
            race_page(*slot);
            footprint_ways(*slot);
            (*slot)->next = live->pages;
            live->pages = *slot;
            if (__builtin_expect(light_on, 0)) look_light(*slot);
        }
        return *slot;
    }
    FootprintPage *page = outside[hash(begin)];
    while (page && page->address != begin) page = page->next_hash;
    if (!page) {
        page = page_outside(begin);
        if (page) {
            look_whole(page);
            look_readable(page, false);
            race_page(page);
            page->next = live->pages;
            live->pages = page;
            page->next_hash = outside[hash(begin)];
            outside[hash(begin)] = page;
        }
    }
    footprint_cache[begin / FOOTPRINT_PAGE % FOOTPRINT_CACHE] =
        (FootprintCache){begin / FOOTPRINT_PAGE, page, !page && !has_shared(begin)};
    return page;
}

/* The variables of the kernel's own device, by their address there: they are in place now, and that
 * page is the one that counts. NULL: they are not. */
static FootprintPage *own_variables(uintptr_t begin)
{
    uintptr_t in_place;
    int device;
    const MemoryBlock *block = memory_find((const void *)begin);
    if (!block || !block->variables || !variables_find(begin, &in_place, &device) ||
        device != live->device)
        return NULL;
    FootprintPage *page = footprint_find(in_place);
    if (page) page->also = begin;
    return page;
}

/* Eight bytes that are all ones where the bit is set. (Both architectures are little-endian.) */
static inline uint64_t whole_bytes(uint64_t eight_bits)
{
    uint64_t bits = (eight_bits * 0x0101010101010101u) & 0x8040201008040201u,
             tops = (bits + 0x7f7f7f7f7f7f7f7fu) & 0x8080808080808080u;
    return (tops >> 7) * 255;
}

/* Exchanges memory and log for the bytes of mask, and only those: a neighbour may be somebody
 * else's. */
static void swap_line(unsigned char *memory, unsigned char *log, uint64_t mask)
{
    unsigned char kept[64];
    if (mask == ~0ull) {
        memcpy(kept, memory, 64);
        memcpy(memory, log, 64);
        memcpy(log, kept, 64);
        return;
    }
    for (int i = 0; i < 64; i += 8, mask >>= 8) {
        uint64_t a, b, different;
        if (!(mask & 255)) continue;
        memcpy(&a, memory + i, 8);
        memcpy(&b, log + i, 8);
        different = (a ^ b) & whole_bytes(mask & 255);
        a ^= different, b ^= different;
        memcpy(memory + i, &a, 8);
        memcpy(log + i, &b, 8);
    }
}

/* Two pages whose every byte is held: most pages of most kernels. */
static void swap_whole(uint64_t *restrict a, uint64_t *restrict b)
{
    for (int i = 0; i < FOOTPRINT_PAGE / 8; i++) {
        uint64_t kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Lines that are all set, or none, are not looked at again until the kernel goes on. */
static FootprintShare share_of(const uint64_t *lines)
{
    uint64_t all = ~0ull, any = 0;
    for (int i = 0; i < FOOTPRINT_LINES; i++) all &= lines[i], any |= lines[i];
    return all == ~0ull ? FOOTPRINT_ALL : any ? FOOTPRINT_SOME : FOOTPRINT_NONE;
}

static void look_shares(FootprintPage *page)
{
    page->reads = share_of(page->read);
    page->holds = share_of(page->held);
    page->writes = share_of(page->wrote);
}

static FootprintPage *page_at(uintptr_t address)
{
    return footprint_arena[(address - footprint_base) / FOOTPRINT_PAGE];
}

/* The bytes of a line to be exchanged. When the kernel stops, what is not held of a light page is
 * the same on both sides, unless it has landed. */
static uint64_t swapped(const FootprintPage *page, int line, bool stops)
{
    uint64_t held = page->held[line];
    return held && stops && page->light && page->log && !page->wrote[line] ? ~0ull : held;
}

static void swap_pages(const Footprint *f, bool stops)
{
    for (const FootprintPage *page = f->pages; page; page = page->next) {
        if (!page->old || !page->counts || page->holds == FOOTPRINT_NONE) continue;
        if (page->holds == FOOTPRINT_ALL) {
            swap_whole((uint64_t *)page->address, (uint64_t *)page->old);
            continue;
        }
        for (int i = 0; i < FOOTPRINT_LINES; i++)
            if (page->held[i])
                swap_line((unsigned char *)page->address + i * 64, page->old + i * 64,
                          swapped(page, i, stops));
    }
}

/* What was allocated may have been freed while the kernel waited: its stores to it are dropped. */
static void check_again(const Footprint *f, FootprintPage *page)
{
    const MemoryBlock *block = memory_find((void *)page->address);
    if (page->whole && block && block->address + block->bytes >= page->address + FOOTPRINT_PAGE)
        return;
    FootprintPage now = {.address = page->address};
    if (in_arena(page->address)) {
        allow_arena(f, &now);
    } else {
        for (int i = 0; i < n_segments; i++)
            if (segments[i].writable && segments[i].ours) allow_program(&now, &segments[i]);
        memory_each(allow_block, &now);
    }
    for (int i = 0; i < FOOTPRINT_LINES; i++) {
        page->valid[i] = now.valid[i];
        page->held[i] &= now.valid[i];
    }
    page->holds = share_of(page->held);
    page->whole = now.whole;
}

/* ---- accesses without hooks ---- */

void (*exec_variables)(void (*visit)(const void *address, size_t bytes));
#define MOST_COMPARED ((size_t)4 << 20)

/* Log has all that was there; what differs from it in the end is held, if it may be written. */
static void begin_light(FootprintPage *page)
{
    footprint_hold_page(page);
    footprint_fill(page);
    page->light = true;
    touch_settle(page);
    if (!page->ready) {
        memset(page->readable, 0xff, sizeof page->readable);
        page->ready = page->whole;
    }
    footprint_ways(page);
}

/* The page's log is the granule's from here on. */
static void lend(FootprintPage *page, const LightGranule *g)
{
    unsigned char *log = g->old + (page->address - g->begin);
    for (int i = 0; i < FOOTPRINT_LINES; i++)
        for (uint64_t rest = page->held[i]; rest; rest &= rest - 1) {
            int k = __builtin_ctzll(rest);
            log[i * 64 + k] = page->old[i * 64 + k];
        }
    give_old_back(page);
    page->old = log;
    page->lent = page->filled = true;
    if (page->log) page->log = log;
    begin_light(page);
}

static void look_light(FootprintPage *page)
{
    const LightGranule *g = light_written(page->address);
    if (g) lend(page, g);
}

static void granule_saved(const LightGranule *g)
{
    for (uintptr_t at = g->begin; at < g->end; at += FOOTPRINT_PAGE) {
        FootprintPage *page = page_at(at);
        if (page) lend(page, g);
    }
}

/* The bytes of variables and of registered memory, which are compared, for they cannot be
 * protected: other things lie on their pages. */
typedef struct Compared {
    uintptr_t begin, end;
} Compared;
static Compared *compared;
static size_t n_compared, room_compared, compared_bytes;

static void compare(const void *address, size_t bytes)
{
    if (n_compared == room_compared) {
        room_compared = room_compared ? 2 * room_compared : 16;
        compared = realloc(compared, room_compared * sizeof *compared);
        if (!compared) exec_allocate(SIZE_MAX / 2);
    }
    compared[n_compared++] = (Compared){(uintptr_t)address, (uintptr_t)address + bytes};
    compared_bytes += bytes;
}

static void compare_block(const MemoryBlock *block, void *unused)
{
    (void)unused;
    if (block->kind == TRACE_MEM_REGISTERED) compare((const void *)block->address, block->bytes);
}

typedef void EachCompared(FootprintPage *page, const Compared *);
static void each_compared(EachCompared *visit)
{
    for (size_t i = 0; i < n_compared; i++)
        for (uintptr_t at = compared[i].begin / FOOTPRINT_PAGE * FOOTPRINT_PAGE;
             at < compared[i].end; at += FOOTPRINT_PAGE) {
            FootprintPage *page = footprint_find(at);
            if (page && page->counts) visit(page, &compared[i]);
        }
}

static void begin_compared(FootprintPage *page, const Compared *unused)
{
    (void)unused;
    if (!page->light) begin_light(page);
}

bool footprint_go_light(void)
{
    n_compared = compared_bytes = 0;
    if (exec_variables) exec_variables(compare);
    memory_each(compare_block, NULL);
    if (!table_span || compared_bytes > MOST_COMPARED || !light_begin(live->device, granule_saved))
        return false;
    live->is_light = true;
    each_compared(begin_compared);
    return true;
}

/* Of 64 bytes, those that have changed. */
static uint64_t changed(const unsigned char *memory, const unsigned char *old)
{
    uint64_t same = 0;
#if defined(__SSE2__)
    for (int k = 0; k < 4; k++) {
        __m128i a = _mm_loadu_si128((const __m128i *)memory + k),
                b = _mm_loadu_si128((const __m128i *)old + k);
        same |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b)) << 16 * k;
    }
#else
    for (int k = 0; k < 64; k++) same |= (uint64_t)(memory[k] == old[k]) << k;
#endif
    return ~same;
}

static uintptr_t first_bad(uintptr_t at, uint64_t bits, uint64_t valid)
{
    return at / 64 * 64 + (uintptr_t)__builtin_ctzll(bits & ~valid);
}

static void hold_changed(FootprintPage *page, uintptr_t begin, uintptr_t end)
{
    if (!page->log) return; /* it has landed */
    for (int i = 0; i < FOOTPRINT_LINES; i++) {
        uintptr_t line = page->address + (uintptr_t)i * 64;
        uint64_t bits = bits_in(line, begin, end) & ~page->held[i];
        if (!bits) continue;
        bits &= changed((const unsigned char *)line, page->log + i * 64);
        page->held[i] |= bits;
        if (bits & ~page->valid[i] && !live->wild)
            live->wild = first_bad(line, bits, page->valid[i]);
    }
}

static void hold_compared(FootprintPage *page, const Compared *c)
{
    hold_changed(page, c->begin, c->end);
}

/* The stretches of a granule that are a block's. */
typedef void EachStretch(void *arg, uintptr_t begin, size_t bytes);
static void each_stretch(const LightGranule *g, EachStretch *visit, void *arg)
{
    for (uintptr_t at = g->begin; at < g->end;) {
        const MemoryBlock *block = memory_find((void *)at);
        uintptr_t next = at + GRANULE;
        if (block) {
            uintptr_t end = block->address + block->bytes;
            if (end > g->end) end = g->end;
            visit(arg, at, end - at);
            next = (end + GRANULE - 1) / GRANULE * GRANULE;
        }
        at = next > at ? next : at + GRANULE;
    }
}

/* What may have got something counts as written. */
static void note_stretch(void *unused, uintptr_t begin, size_t bytes)
{
    (void)unused;
    memory_written((void *)begin, bytes);
}

static void add_stretch(void *sum, uintptr_t begin, size_t bytes)
{
    (void)begin;
    *(uint64_t *)sum += bytes;
}

static void hold_granule(const LightGranule *g)
{
    each_stretch(g, note_stretch, NULL);
    for (uintptr_t at = g->begin; at < g->end; at += FOOTPRINT_PAGE) {
        FootprintPage *page = page_at(at);
        const unsigned char *old = g->old + (at - g->begin);
        if (!page && memcmp((const void *)at, old, FOOTPRINT_PAGE) != 0) {
            page = footprint_page(at); /* whose log is the granule's already */
            if (!page->lent) lend(page, g);
        }
        if (page) hold_changed(page, at, at + FOOTPRINT_PAGE);
    }
}

static unsigned ones(uint64_t bits)
{
    return bits == ~0ull ? 64 : (unsigned)__builtin_popcountll(bits);
}

static void count_page(const FootprintPage *page, uint64_t *read, uint64_t *written,
                       uintptr_t *first)
{
    uint64_t before = *read + *written;
    if (!first && !page->atomic && page->reads != FOOTPRINT_SOME && page->holds != FOOTPRINT_SOME &&
        page->writes == FOOTPRINT_NONE) {
        if (page->reads == FOOTPRINT_ALL) *read += FOOTPRINT_PAGE;
        if (page->holds == FOOTPRINT_ALL) *written += FOOTPRINT_PAGE;
        return;
    }
    for (int i = 0; i < FOOTPRINT_LINES; i++) {
        uint64_t reads =
            page->atomic ? page->read[i] | page->atomic[FOOTPRINT_ATOMIC_READ][i] : page->read[i];
        if (reads) *read += ones(reads);
        uint64_t wrote = page->wrote[i] | page->held[i];
        if (wrote) *written += ones(wrote);
        if (first && (reads | wrote) && *read + *written > before) {
            *first = page->address + 64 * (uintptr_t)i + (uintptr_t)__builtin_ctzll(reads | wrote);
            first = NULL;
        }
    }
}

static void count_pages(const Footprint *f, uint64_t *read, uint64_t *written)
{
    *read = *written = 0;
    for (const FootprintPage *page = f->pages; page; page = page->next) {
        if (page->counts) count_page(page, read, written, NULL);
    }
}

static void has_landed(void);

/* It goes on with hooks, or not at all. */
static void end_light(Footprint *f)
{
    has_landed();
    if (!light_on) return;
    LightGranule *granules = light_end();
    for (FootprintPage *page = f->pages; page; page = page->next) look_shares(page);
    count_pages(f, &f->sampled[0], &f->sampled[1]);
    for (const LightGranule *g = granules; g && !f->lands; g = g->next)
        if (g->old) hold_granule(g);
    if (!f->lands) each_compared(hold_compared);
    f->granules = granules;
}

void footprint_enter(Footprint *f)
{
    live = f;
    for (FootprintPage *page = f->pages; page; page = page->next) {
        if (page->counts) {
            bool was_ready = page->ready;
            check_again(f, page);
            if (!was_ready || !page->whole) look_readable(page, !was_ready);
        }
        if (in_table(page->address)) {
            footprint_arena[(page->address - footprint_base) / FOOTPRINT_PAGE] = page;
            footprint_ways(page);
        } else {
            page->next_hash = outside[hash(page->address)];
            outside[hash(page->address)] = page;
        }
        if (page->also) footprint_arena[(page->also - footprint_base) / FOOTPRINT_PAGE] = page;
    }
    swap_pages(f, false);
    footprint_live = table_span;
}

bool footprint_on_device(const Footprint *f)
{
    for (const FootprintPage *page = f->pages; page; page = page->next)
        if (page->counts && page->holds != FOOTPRINT_NONE &&
            page->address - memory_base >= memory_device_span)
            return false;
    return true;
}

void footprint_settle(Footprint *f)
{
    if (f->in_place) swap_pages(f, !f->lands);
    f->in_place = false;
}

void footprint_leave(Footprint *f, bool later)
{
    touch_forget();
    end_light(f);
    footprint_live = 0;
    for (FootprintPage *page = f->pages; page; page = page->next) look_shares(page);
    f->in_place = true;
    if (!later) footprint_settle(f);
    note_writes(f);
    for (FootprintPage *page = f->pages; page; page = page->next) {
        page->runs = page->filled = false;
        if (in_table(page->address)) {
            size_t i = (page->address - footprint_base) / FOOTPRINT_PAGE;
            footprint_arena[i] = NULL;
            footprint_reads[i] = footprint_writes[i] = 0;
        } else {
            outside[hash(page->address)] = NULL;
        }
        if (page->also) footprint_arena[(page->also - footprint_base) / FOOTPRINT_PAGE] = NULL;
    }
    empty_cache();
    live = NULL;
}

void footprint_fence(void)
{
    if (!live) return;
    live->lands = live->is_light;
    has_landed();
    touch_tell();
    for (FootprintPage *page = live->dirty; page; page = page->next_dirty) {
        touch_settle(page);
        page->log = NULL;
        page->filled = false;
        if (!page->only_read && page->only_written) { /* what was written is not seen in held any
                                                         more */
            page->only_written = false;
            page->had_stores = true;
        }
        footprint_ways(page);
        for (int i = 0; i < FOOTPRINT_LINES; i++) {
            keep_line(page, (unsigned)i, page->held[i] & ~page->wrote[i]);
            if (page->atomic) page->atomic[FOOTPRINT_PLAIN][i] |= page->held[i];
            page->wrote[i] |= page->held[i];
            page->held[i] = 0;
        }
    }
    live->dirty = NULL;
}

/* What a page holds comes into memory, for good. */
static void land_page(const FootprintPage *page)
{
    unsigned char *memory = (unsigned char *)page->address;
    if (page->holds == FOOTPRINT_NONE) return;
    if (page->holds == FOOTPRINT_ALL) {
        memcpy(memory, page->old, FOOTPRINT_PAGE);
        return;
    }
    for (unsigned i = 0; i < FOOTPRINT_LINES; i++) {
        uint64_t mask = page->held[i];
        if (mask == ~0ull) memcpy(memory + i * 64, page->old + i * 64, 64);
        else
            for (unsigned k = i * 64; mask; mask >>= 8, k += 8) {
                uint64_t now, new, bytes = whole_bytes(mask & 255);
                memcpy(&now, memory + k, 8);
                memcpy(&new, page->old + k, 8);
                now ^= (now ^ new) & bytes;
                memcpy(memory + k, &now, 8);
            }
    }
}

void footprint_publish(Footprint *f)
{
    for (FootprintPage *page = f->pages; page; page = page->next) {
        if (page->old && page->counts && !f->in_place) {
            check_again(f, page);
            land_page(page);
        }
        if (!page->ready)
            for (int i = 0; i < FOOTPRINT_LINES; i++) page->wrote[i] |= page->held[i];
    }
    note_writes(f);
    footprint_free(f);
}

/* What it has touched in all, where that is known of pieces of memory only. */
static uint64_t guess(const Footprint *f, uint64_t known, uint64_t pieces, uint64_t sampled)
{
    double most = (double)sampled * f->times;
    uint64_t likely = most < (double)pieces ? (uint64_t)most : pieces;
    return likely > known ? likely : known;
}

void footprint_count(const Footprint *f, uint64_t *read, uint64_t *written)
{
    uint64_t reads = 0, writes = 0;
    count_pages(f, read, written);
    for (const LightGranule *g = f->granules; g; g = g->next) {
        if (g->read) each_stretch(g, add_stretch, &reads);
        if (g->old) each_stretch(g, add_stretch, &writes);
    }
    if (!f->granules) return;
    *read = guess(f, *read, reads, f->sampled[0]);
    *written = guess(f, *written, writes, f->sampled[1]);
}

void footprint_elsewhere(const Footprint *f, FootprintTell *tell, void *arg)
{
    for (const FootprintPage *page = f->pages; page; page = page->next) {
        uint64_t read = 0, written = 0;
        uintptr_t first = 0;
        if (!page->counts || page->address - memory_base < memory_device_span) continue;
        count_page(page, &read, &written, &first);
        if (read || written) tell(arg, first, read, written);
    }
    for (const LightGranule *g = f->granules; g; g = g->next) {
        uint64_t bytes = 0;
        if (g->begin - memory_base < memory_device_span) continue;
        each_stretch(g, add_stretch, &bytes);
        if (bytes) tell(arg, g->begin, g->read ? bytes : 0, g->old ? bytes : 0);
    }
}

void footprint_free(Footprint *f)
{
    for (FootprintPage *page = f->pages, *next; page; page = next) {
        next = page->next;
        page_free(page);
    }
    light_free(f->granules);
    *f = (Footprint){.device = f->device};
}

typedef enum Access { READ, WRITE, LAND, UPDATE, POLL } Access;

/* The log of a light page has what has landed, once it has: what differs in the end came later. */
static struct {
    FootprintPage *page;
    unsigned line;
    uint64_t bits;
} landing;

static void has_landed(void)
{
    const unsigned char *memory;
    if (!landing.page) return;
    memory = (const unsigned char *)landing.page->address + landing.line * 64;
    for (uint64_t rest = landing.page->log ? landing.bits : 0; rest; rest &= rest - 1) {
        int k = __builtin_ctzll(rest);
        landing.page->log[landing.line * 64 + (unsigned)k] = memory[k];
    }
    landing.page = NULL;
}

static void lands_soon(FootprintPage *page, unsigned line, uint64_t bits)
{
    has_landed();
    landing.page = page;
    landing.line = line;
    landing.bits = bits;
}

/* From the first atomic access on, what a page's bits say is told apart. */
static void tell_atomics(FootprintPage *page)
{
    if (page->atomic) return;
    page->atomic = free_atomics;
    if (page->atomic) free_atomics = *(void **)page->atomic;
    else page->atomic = exec_allocate(FOOTPRINT_ATOMICS * sizeof *page->atomic);
    memset(page->atomic, 0, FOOTPRINT_ATOMICS * sizeof *page->atomic);
    memcpy(page->atomic[FOOTPRINT_PLAIN], page->wrote, sizeof page->wrote);
}

FootprintFresh footprint_fresh;

/* Bits of a line that are about to be read: were they ever written? */
static void look_fresh(FootprintPage *page, unsigned line, uint64_t bits)
{
    uint64_t fresh = bits & ~page->readable[line] & ~(page->held[line] | page->wrote[line]);
    page->readable[line] |= bits & ~fresh;
    if (!fresh) return;
    uintptr_t at = page->address + (uintptr_t)line * 64;
    if (!footprint_fresh.count) footprint_fresh.first = at + (unsigned)__builtin_ctzll(fresh);
    footprint_fresh.last = at + 63 - (unsigned)__builtin_clzll(fresh);
    footprint_fresh.count += (unsigned)__builtin_popcountll(fresh);
}

void footprint_told(const FootprintFresh *fresh)
{
    for (uintptr_t line = fresh->first / 64 * 64; line <= fresh->last; line += 64) {
        FootprintPage *page = footprint_find(line);
        if (page)
            page->readable[line / 64 % FOOTPRINT_LINES] |=
                bits_in(line, fresh->first, fresh->last + 1);
    }
}

static bool access_range(uintptr_t address, size_t bytes, Access how, uintptr_t *bad)
{
    footprint_fresh.count = 0;
    if (bytes > UINTPTR_MAX - address) bytes = UINTPTR_MAX - address;
    uintptr_t end = address + bytes;
    for (uintptr_t at = address, next; at < end; at = next) {
        uintptr_t line = at / 64 * 64;
        next = end - line > 64 ? line + 64 : end;
        uint64_t bits = bits_in(line, at, next);
        FootprintPage *page = footprint_find(at);
        if (!page) continue;
        touch_settle(page);
        unsigned i = line / 64 % FOOTPRINT_LINES;
        if (bits & ~page->valid[i]) {
            *bad = first_bad(at, bits, page->valid[i]);
            return false;
        }
        if (!page->ready && (how == READ || how == POLL || how == UPDATE) &&
            bits & ~page->readable[i])
            look_fresh(page, i, bits);
        if (how == READ) {
            page->read[i] |= bits;
            continue;
        }
        if (!page->counts) continue;
        if (how == POLL) {
            tell_atomics(page);
            page->atomic[FOOTPRINT_ATOMIC_READ][i] |= bits;
        } else if (how == LAND || how == UPDATE) {
            tell_atomics(page);
            if (page->light) lands_soon(page, i, bits);
            else page->filled = false;
            keep_line(page, i, bits & ~page->wrote[i]);
            page->atomic[FOOTPRINT_PLAIN][i] |= bits & page->held[i];
            page->atomic[FOOTPRINT_ATOMIC_WRITE][i] |= bits;
            page->wrote[i] |= bits;
            page->held[i] &= ~bits;
        } else if (bits & ~page->held[i]) {
            footprint_hold_page(page);
            unsigned char *old = page->old + line % FOOTPRINT_PAGE;
            uint64_t rest = page->filled ? 0 : bits & ~page->held[i];
            for (; rest; rest &= rest - 1) {
                int k = __builtin_ctzll(rest);
                old[k] = ((const unsigned char *)line)[k];
            }
            page->held[i] |= bits;
        }
    }
    return true;
}

bool footprint_read(uintptr_t address, size_t bytes, uintptr_t *bad)
{
    return access_range(address, bytes, READ, bad);
}

bool footprint_write(uintptr_t address, size_t bytes, uintptr_t *bad)
{
    return access_range(address, bytes, WRITE, bad);
}

bool footprint_has_written(uintptr_t address, size_t bytes)
{
    for (uintptr_t at = address, end = address + bytes; at < end; at = at / 64 * 64 + 64) {
        const FootprintPage *page = footprint_find(at);
        unsigned i = at / 64 % FOOTPRINT_LINES;
        if (page) touch_settle(page);
        if (page && (page->held[i] | page->wrote[i]) & bits_in(at / 64 * 64, at, end)) return true;
    }
    return false;
}

bool footprint_poll(uintptr_t address, size_t bytes, uintptr_t *bad)
{
    return access_range(address, bytes, POLL, bad);
}

bool footprint_land(uintptr_t address, size_t bytes, bool reads, uintptr_t *bad)
{
    return access_range(address, bytes, reads ? UPDATE : LAND, bad);
}

static void add_page(const FootprintPage *page, uintptr_t number, HazardBytes sets[HAZARD_TOUCHES])
{
    static uint64_t ones[FOOTPRINT_LINES];
    if (!ones[0]) memset(ones, 0xff, sizeof ones);
    if (page->reads != FOOTPRINT_NONE)
        bytes_add_page(&sets[HAZARD_READ], number,
                       page->reads == FOOTPRINT_ALL ? ones : page->read);
    if (!page->atomic && page->writes == FOOTPRINT_NONE) {
        if (page->holds != FOOTPRINT_NONE)
            bytes_add_page(&sets[HAZARD_WRITE], number,
                           page->holds == FOOTPRINT_ALL ? ones : page->held);
        return;
    }

    uint64_t wrote[FOOTPRINT_LINES];
    const uint64_t *landed = page->atomic ? page->atomic[FOOTPRINT_PLAIN] : page->wrote;
    for (int k = 0; k < FOOTPRINT_LINES; k++) wrote[k] = landed[k] | page->held[k];
    bytes_add_page(&sets[HAZARD_WRITE], number, wrote);
    if (!page->atomic) return;
    bytes_add_page(&sets[HAZARD_ATOMIC_READ], number, page->atomic[FOOTPRINT_ATOMIC_READ]);
    bytes_add_page(&sets[HAZARD_ATOMIC_WRITE], number, page->atomic[FOOTPRINT_ATOMIC_WRITE]);
}

bool (*exec_own_variables)(uintptr_t address, size_t bytes);

/* A page, and the number by which the checker knows it. */
typedef struct Numbered {
    uintptr_t number;
    const FootprintPage *page;
} Numbered;

static int by_number(const void *a, const void *b)
{
    uintptr_t x = ((const Numbered *)a)->number, y = ((const Numbered *)b)->number;
    return x < y ? -1 : x > y;
}

static uintptr_t number_of(const FootprintPage *page, int device)
{
    uintptr_t address = page->address;
    if (in_arena(address) && !variables_find(address, &address, &device))
        return address / FOOTPRINT_PAGE;
    bool own = device && exec_own_variables && exec_own_variables(address, FOOTPRINT_PAGE);
    return (own ? hazard_own_copy(address, device) : address) / FOOTPRINT_PAGE;
}

void footprint_sets(const Footprint *f, int device, HazardBytes sets[HAZARD_TOUCHES])
{
    size_t n = 0, i = 0;
    for (const FootprintPage *page = f->pages; page; page = page->next) n += page->counts;
    if (!n) return;
    Numbered *sorted = exec_allocate(n * sizeof *sorted);
    bool rising = true;
    i = n; /* the newest page is first, and memory is mostly walked upwards */
    for (const FootprintPage *page = f->pages; page; page = page->next)
        if (page->counts) sorted[--i] = (Numbered){number_of(page, device), page};
    for (i = 1; i < n && rising; i++) rising = sorted[i - 1].number < sorted[i].number;
    if (!rising) qsort(sorted, n, sizeof *sorted, by_number);
    for (i = 0; i < n; i++) add_page(sorted[i].page, sorted[i].number, sets);
    free(sorted);
}
