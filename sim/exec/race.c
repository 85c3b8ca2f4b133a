#include "sim/exec/race.h"
#include <stdlib.h>
#include <string.h>
#include "sim/exec/exec_internal.h"
#include "sim/exec/inside.h"
#include "sim/order/order.h"
#include "sim/memory/memory.h"

uint32_t race_epoch, race_many, race_everybody, race_first, race_block, race_done;
bool race_on, race_watching;
static bool incomplete; /* something has not been looked at that may be a race */

enum { WORD = 4, WORDS = FOOTPRINT_PAGE / WORD, PAGES_AT_ONCE = 64 };
#define MOST_CELLS ((size_t)1 << 30) /* bytes of them: pages beyond are not looked at */

/* ---- epochs ---- */

/* Epochs count in steps of a power of two above the keys of a block's threads. Three keys of the
 * first one of a kernel (or of a stretch between barriers of the grid) are no thread's: read by
 * several epochs; touched only by atomic accesses; written by nobody knows whom. */
static uint32_t step, atomic_only, some_writer;

typedef struct Chunk {
    struct Chunk *next;
    size_t bytes;
} Chunk;
static Chunk *chunks; /* all cells there are */
static uint32_t *free_words, *free_bytes;
static size_t cell_bytes;

static void name_specials(void)
{
    race_first = race_epoch;
    race_everybody = race_epoch + step - 2;
    atomic_only = race_epoch;
    some_writer = race_epoch + 1;
    race_epoch += step;
    race_many = race_epoch + step - 2;
}

/* Epochs have run out: everything is forgotten. Cells that are in the pool are lost, once in a very
 * long run. */
static void start_over(void)
{
    for (Chunk *c = chunks; c; c = c->next) memset(c + 1, 0, c->bytes);
    free_words = free_bytes = NULL;
    race_epoch = step;
    name_specials();
    race_block = race_epoch;
    race_done = 0;
}

static void next_epoch(void)
{
    if (race_epoch > UINT32_MAX - 4 * step) start_over();
    race_epoch += step;
    race_many = race_epoch + step - 2;
}

/* What was before does not matter any more. */
static void new_times(void)
{
    next_epoch();
    name_specials();
    race_block = race_epoch;
    race_done = 0;
}

/* Of an earlier kernel, or of the running block before its latest barrier. */
static bool is_past(uint32_t key) { return key < race_first || key - race_block < race_done; }

/* ---- cells ---- */

static uint32_t *take_cells(uint32_t **pool, size_t n)
{
    if (!*pool) {
        size_t bytes = PAGES_AT_ONCE * n * sizeof **pool;
        if (cell_bytes + bytes > MOST_CELLS) return NULL;
        Chunk *chunk = calloc(1, sizeof *chunk + bytes);
        if (!chunk) return NULL;
        *chunk = (Chunk){chunks, bytes};
        chunks = chunk;
        cell_bytes += bytes;
        for (unsigned i = 0; i < PAGES_AT_ONCE; i++) {
            uint32_t *cells = (uint32_t *)(chunk + 1) + i * n;
            memcpy(cells, pool, sizeof *pool);
            *pool = cells;
        }
    }
    uint32_t *cells = *pool;
    memcpy(pool, cells, sizeof *pool);
    cells[0] = cells[1] = 0;
    return cells;
}

static void give_cells(uint32_t **pool, uint32_t **cells)
{
    if (!*cells) return;
    memcpy(*cells, pool, sizeof *pool);
    *pool = *cells;
    *cells = NULL;
}

void race_page_gone(FootprintPage *page)
{
    give_cells(&free_words, &page->cells);
    give_cells(&free_bytes, &page->byte_cells);
}

/* ---- pages that need cells ---- */

/* Memory that the running kernel both reads and writes: its pages have cells from their first
 * access on. learned: the kernel has been seen to do so too late before: all its pages have. */
typedef struct Span {
    uintptr_t low, high;
} Span;
enum { SPANS = 16, KERNELS = 256 };
static Span spans[SPANS];
static unsigned n_spans;
typedef struct Kernel {
    void (*body)(void *);
    uint32_t suspected;
    bool learned;
} Kernel;
static Kernel kernels[KERNELS];

static Kernel *this_kernel(void)
{
    void (*body)(void *) = exec_run->launch.run_block;
    unsigned i = (unsigned)((uintptr_t)body >> 4) % KERNELS, tried = 0;
    while (kernels[i].body && kernels[i].body != body && ++tried < KERNELS) i = (i + 1) % KERNELS;
    if (kernels[i].body != body) kernels[i] = (Kernel){.body = body};
    return &kernels[i];
}

static bool is_watched_page(uintptr_t page);

void race_page(FootprintPage *page)
{
    page->cells = page->byte_cells = NULL;
    page->watched = race_watching && is_watched_page(page->address);
    page->only_read = page->only_written = !race_on || !page->counts;
    page->had_stores = false;
    if (!race_on || race_watching || !page->counts) return;
    bool mixed = this_kernel()->learned;
    for (unsigned i = 0; i < n_spans && !mixed; i++)
        mixed = spans[i].low < page->address + FOOTPRINT_PAGE && spans[i].high > page->address;
    if (mixed) page->cells = take_cells(&free_words, WORDS);
}

/* Is the running thread the first of all, and has no other one run? */
static bool is_first_thread(void)
{
    return exec_run->next_block == 1 && !threelane_rank() && !threelane_lost() &&
           race_epoch == race_block;
}

/* Are all of n aligned bytes in the set, none, or some? */
static unsigned bits_of(const uint64_t *bits, unsigned at, unsigned n)
{
    return (unsigned)(bits[at / 64] >> at % 64) & ((1u << n) - 1);
}

static bool has_parts(const uint64_t *bits)
{
    for (unsigned i = 0; i < FOOTPRINT_PAGE; i += WORD) {
        unsigned word = bits_of(bits, i, WORD);
        if (word && word != 15) return true;
    }
    return false;
}

static void split_page(FootprintPage *page);

/* A page gets cells late: what is known of it are bits that tell no threads. The access to
 * [address, end) has set its own already; fresh: it is a store, and the first there. */
static void add_cells(FootprintPage *page, uintptr_t address, uintptr_t end, bool parts, bool fresh,
                      bool atomic)
{
    bool mine = is_first_thread();
    uint32_t key = race_key();
    touch_changed(page->address);          /* all that was touched so far is noted, */
    if (page->cells || page->byte_cells) { /* by which it has got cells already */
        if (page->cells && parts) split_page(page);
        return;
    }
    parts = parts || has_parts(page->read) || has_parts(page->held) || has_parts(page->wrote);
    unsigned part = parts ? 1 : WORD;
    uint32_t *cells =
        parts ? take_cells(&free_bytes, FOOTPRINT_PAGE) : take_cells(&free_words, WORDS);
    const MemoryBlock *block = memory_find((const void *)address);
    if (!cells) { /* too much memory: the page is not looked at */
        page->only_read = true;
        incomplete = true;
        footprint_ways(page);
        return;
    }
    for (unsigned at = 0; at < FOOTPRINT_PAGE; at += part) {
        bool this = page->address + at < end && page->address + at + part > address;
        bool wrote = (page->only_written || page->had_stores) && !(this && fresh) &&
                     (this && atomic && page->atomic
                          ? bits_of(page->atomic[FOOTPRINT_PLAIN], at, part)
                          : bits_of(page->held, at, part) || bits_of(page->wrote, at, part));
        bool read = page->only_read && bits_of(page->read, at, part);
        cells[at / part] = wrote   ? mine ? key | 1 : some_writer
                           : !read ? 0
                           : mine  ? key
                                   : race_everybody;
    }
    *(parts ? &page->byte_cells : &page->cells) = cells;
    page->only_read = page->only_written = false;
    footprint_ways(page);
    if (!mine) this_kernel()->learned = true;
    if (n_spans < SPANS && block)
        spans[n_spans++] = (Span){block->address, block->address + block->bytes};
}

/* From the first access to less than a word on, a page has a cell for each byte. */
static void split_page(FootprintPage *page)
{
    touch_settle(page);
    if (!page->cells) return; /* by which it has been done */
    uint32_t *bytes = take_cells(&free_bytes, FOOTPRINT_PAGE);
    for (unsigned i = 0; bytes && i < FOOTPRINT_PAGE; i++) bytes[i] = page->cells[i / WORD];
    if (!bytes) page->only_read = incomplete = true;
    page->byte_cells = bytes;
    give_cells(&free_words, &page->cells);
    footprint_ways(page);
}

/* ---- what is suspected ---- */

/* A place in the program that touched suspected words. The first ones of each will be watched, and
 * then ever fewer, all over what it touches: who raced for a word is only known once it is
 * watched, and that may be another place for each. */
typedef struct Place {
    const void *pc;
    bool write;
    uintptr_t block, low, high; /* the block of memory; what it touched there */
    uint32_t times;             /* that it was suspected, of a word that was not watched yet */
} Place;
typedef struct Watched {
    uintptr_t address;
    struct Event *events;
    uint32_t n, room;
    bool surely; /* one of the first of a place: even when there is a lot to compare */
} Watched;
enum {
    PLACES = 64,
    SURELY = 64,
    ALL_UP_TO = 2048,
    OF_EACH_DOUBLING = 256,
    WATCHED = 8192,
    TABLE = 4 * WATCHED,
    PAGES = 4096, /* bits */
    PAIRS = 512,
    EVENTS = 1024,
    ENOUGH = 64,         /* events of a place on a word: further ones say no more */
    MOST_LOOKS = 1 << 26 /* comparisons in one kernel, before only the sure ones go on */
};
static Place places[PLACES];
static unsigned n_places;
static Watched watched[WATCHED];
static uint16_t table[TABLE]; /* 1 + index in watched */
static unsigned n_watched;
static uint64_t watched_pages[PAGES / 64]; /* by a hash */
static uint32_t looks;

static unsigned page_bit(uintptr_t address)
{
    return (unsigned)((address / FOOTPRINT_PAGE * 0x9E3779B97F4A7C15ull) >> 40) % PAGES;
}

static Watched *watched_at(uintptr_t word, bool make)
{
    unsigned i = (unsigned)((word / WORD * 0x9E3779B97F4A7C15ull) >> 40) % TABLE;
    while (table[i] && watched[table[i] - 1].address != word) i = (i + 1) % TABLE;
    if (table[i]) return &watched[table[i] - 1];
    if (!make || n_watched == WATCHED) return NULL;
    watched[n_watched] = (Watched){.address = word};
    table[i] = (uint16_t)++n_watched;
    unsigned page = page_bit(word);
    watched_pages[page / 64] |= 1ull << page % 64;
    return &watched[n_watched - 1];
}

/* False: none of its words is watched. */
static bool is_watched_page(uintptr_t page)
{
    unsigned bit = page_bit(page);
    return watched_pages[bit / 64] >> bit % 64 & 1;
}

/* Is it the turn of the word for which a place is suspected the n-th time? */
static bool is_picked(uint32_t n)
{
    if (n <= ALL_UP_TO) return true;
    unsigned doubling = 1u << (31 - __builtin_clz(n));
    return n % (doubling / OF_EACH_DOUBLING) == 0;
}

static void suspect(uintptr_t address, unsigned bytes, bool write, const void *pc)
{
    const MemoryBlock *block = memory_find((const void *)address);
    uintptr_t begin = block ? block->address : 0, word = address / WORD * WORD;
    Place *p = places;
    while (p < places + n_places && (p->pc != pc || p->write != write || p->block != begin)) p++;
    if (p == places + n_places) {
        if (n_places == PLACES) {
            incomplete = true;
            return;
        }
        *p = (Place){pc, write, begin, address, address, 0};
        n_places++;
    }
    if (address < p->low) p->low = address;
    if (address + bytes > p->high) p->high = address + bytes;
    if (watched_at(word, false)) return;

    bool surely = ++p->times <= SURELY,
         room = surely || n_watched < WATCHED - PLACES * SURELY; /* the rest is for sure ones */
    Watched *w = room && is_picked(p->times) ? watched_at(word, true) : NULL;
    if (w) w->surely = surely;
    else incomplete = true;
}

/* ---- the filter ---- */

/* The careful way, for one cell: n bytes of the page from `at` on. True: suspicious. */
static bool look(const FootprintPage *page, uint32_t *cell, unsigned at, unsigned n, SharedUse use)
{
    uint32_t key = race_key(), c = *cell;
    bool atomic = use >= SHARED_ATOMIC_READ,
         write = use == SHARED_WRITE || use == SHARED_ATOMIC_WRITE;
    uint64_t bits = ((1ull << n) - 1) << at % 64;
    unsigned line = at / 64;
    const uint64_t *plain = page->atomic ? page->atomic[FOOTPRINT_PLAIN] : page->wrote;
    bool mine = (c | 1) == (key | 1), past = is_past(c);
    if (atomic) { /* what was plain, and is past for this block, is not for others */
        bool was_plain =
            ((page->held[line] | plain[line] | (write ? page->read[line] : 0)) & bits) != 0;
        if (past) *cell = atomic_only;
        else if (!mine && c != atomic_only && !write && c == race_everybody) return was_plain;
        else if (!mine && c != atomic_only)
            return *cell = write ? some_writer : race_everybody, true;
        return c == atomic_only && was_plain;
    }
    if (write) {
        *cell = key | 1;
        return !past && !mine;
    }
    if (past) *cell = key;
    if (past || mine || c == race_everybody || c == race_many) return false;
    bool same_epoch = (c | (step - 1)) == (race_many | (step - 1)),
         wrote = (c & 1) || c == atomic_only;
    if (!wrote && same_epoch) {
        *cell = race_many;
        return false;
    }
    *cell = race_everybody;
    return wrote || ((page->held[line] | page->wrote[line]) & bits);
}

typedef uint32_t Keys __attribute__((vector_size(16), aligned(4), may_alias));

bool race_run(const FootprintPage *page, uintptr_t address, unsigned words, unsigned each,
              uint32_t rank, unsigned step_of_rank, bool write)
{
    uint32_t *cells = page->cells + address % FOOTPRINT_PAGE / WORD, last = step_of_rank;
    uint32_t first = race_epoch + 2 * rank + write;
    Keys keys, more = (Keys){} + 2 * last * (4 / each), past = (Keys){} + race_first, bad = {};
    for (unsigned i = 0; i < 4; i++) keys[i] = first + 2 * last * (i / each);
    const Keys begin = keys;
    unsigned i;

    for (i = 0; i + 4 <= words; i += 4, keys += more) {
        Keys c = *(const Keys *)(cells + i);
        Keys other = (Keys)(c >= past) & (Keys)((c ^ keys) > 1);
        if (!write) other &= (Keys)(c != race_everybody) & (Keys)(c != race_many);
        bad |= other;
    }
    for (unsigned k = 0; i + k < words; k++) {
        uint32_t c = cells[i + k];
        if (c >= race_first && (c ^ keys[k]) > 1 &&
            (write || (c != race_everybody && c != race_many)))
            return false;
    }
    if (bad[0] | bad[1] | bad[2] | bad[3]) return false;

    keys = begin;
    for (i = 0; i + 4 <= words; i += 4, keys += more) {
        Keys c = *(const Keys *)(cells + i), old = write ? (Keys){} : (Keys)(c >= past);
        *(Keys *)(cells + i) = (c & old) | (keys & ~old);
    }
    for (unsigned k = 0; i + k < words; k++)
        if (write || cells[i + k] < race_first) cells[i + k] = keys[k];
    return true;
}

static void watch(uintptr_t address, size_t bytes, SharedUse use, const void *pc);

/* Can the access do without cells? */
static bool is_plain_page(FootprintPage *page, SharedUse use, bool again)
{
    bool plain = false;
    bool fresh = !page->cells && !page->byte_cells && !page->only_read && !page->only_written &&
                 !page->had_stores;
    if (page->only_read && page->only_written) return true;
    if (use == SHARED_READ && (fresh || page->only_read)) plain = page->only_read = true;
    if (use == SHARED_WRITE && (fresh || (page->only_written && !again)))
        plain = page->only_written = true;
    if (fresh) footprint_ways(page);
    return plain;
}

void race_access(uintptr_t address, size_t bytes, SharedUse use, bool again, const void *pc)
{
    if (race_watching) {
        watch(address, bytes, use, pc);
        return;
    }
    bool write = use == SHARED_WRITE || use == SHARED_ATOMIC_WRITE;
    for (uintptr_t at = address, end = address + bytes; at < end;) {
        FootprintPage *page = footprint_find(at);
        uintptr_t stop = at / FOOTPRINT_PAGE * FOOTPRINT_PAGE + FOOTPRINT_PAGE;
        if (stop > end) stop = end;
        if (!page || !page->counts || is_plain_page(page, use, again)) {
            at = stop;
            continue;
        }
        bool parts = at % WORD || stop % WORD;
        if (!page->cells && !page->byte_cells)
            add_cells(page, at, stop, parts, use == SHARED_WRITE && !again,
                      use >= SHARED_ATOMIC_READ);
        else if (page->cells && parts) split_page(page);
        unsigned part = page->cells ? WORD : 1;
        uint32_t *cells = page->cells ? page->cells : page->byte_cells;
        for (; cells && at < stop; at += part) {
            unsigned offset = (unsigned)(at % FOOTPRINT_PAGE);
            if (look(page, &cells[offset / part], offset, part, use)) suspect(at, part, write, pc);
        }
        at = stop;
    }
}

/* ---- watched words ---- */

typedef struct Event {
    OrderPoint at;
    const void *pc;
    SharedUse use;
    uint8_t bytes;        /* which of the word's, a bit for each */
    uint32_t passed_line; /* of the latest barrier of its block */
    bool confirmed; /* a plain read, and an atomic operation of its thread followed, or of one like
                       it */
} Event;

/* "old = *p; do ... atomicCAS(p, old, ...)" is how CUDA's manual writes operations that there are
 * not, and many look with a plain read whether they need to change anything. A plain read of what
 * others change atomically is so only reported if no thread that has read it in that line goes on
 * with an atomic operation on it. */
typedef struct MaybePadding {
    const Watched *word;
    Event old, new;
    bool fence;
} MaybePadding;
enum { DOUBTS = 4096 };
static MaybePadding *doubtful;
static unsigned n_doubtful;

static RacePair pairs[PAIRS];
static unsigned n_pairs;

/* A hook comes before its store: whether it changes anything is seen when something else
 * happens. */
typedef struct Pending {
    uintptr_t word;
    uint32_t value;
    uint8_t bytes;
    unsigned pair;
} Pending;
enum { PENDING = 256 };
static Pending pending[PENDING];
static unsigned n_pending;

static uint32_t value_at(uintptr_t word)
{
    uint32_t value;
    memcpy(&value, (const void *)word, sizeof value);
    return value;
}

static void settle(void)
{
    for (unsigned i = 0; i < n_pending; i++) {
        uint32_t changed = value_at(pending[i].word) ^ pending[i].value, mask = 0;
        for (unsigned k = 0; k < WORD; k++)
            if (pending[i].bytes >> k & 1) mask |= 0xffu << 8 * k;
        if (changed & mask) pairs[pending[i].pair].differs = true;
    }
    n_pending = 0;
}

static RacePair *pair_of(const Event *old, const Event *new)
{
    const Event *first = old, *second = new;
    if ((uintptr_t)old->pc > (uintptr_t) new->pc)
        first = new, second = old; /* who came first says nothing */
    bool same_block = old->at.block == new->at.block;
    for (unsigned i = 0; i < n_pairs; i++) {
        RacePair *p = &pairs[i];
        if (p->first.pc == first->pc && p->second.pc == second->pc && p->first.use == first->use &&
            p->second.use == second->use) {
            if (!same_block && !p->across) { /* the better example */
                p->first = (RaceSide){first->pc, first->use, first->at.block, first->at.rank};
                p->second = (RaceSide){second->pc, second->use, second->at.block, second->at.rank};
                p->across = true;
                p->passed_line = 0;
            }
            return p;
        }
    }
    if (n_pairs == PAIRS) {
        incomplete = true;
        return NULL;
    }
    RacePair *p = &pairs[n_pairs++];
    *p = (RacePair){.first = {first->pc, first->use, first->at.block, first->at.rank},
                    .second = {second->pc, second->use, second->at.block, second->at.rank},
                    .across = !same_block,
                    .low = UINTPTR_MAX,
                    .passed_line = same_block ? new->passed_line : 0};
    return p;
}

static void found(const Watched *w, const Event *old, const Event *new, bool fence)
{
    RacePair *p = pair_of(old, new);
    if (!p) return;
    uint8_t both = old->bytes & new->bytes;
    uintptr_t low = w->address + (unsigned)__builtin_ctz(both),
              high = w->address + 32 - (unsigned)__builtin_clz(both);
    if (low < p->low) p->low = low;
    if (high > p->high) p->high = high;
    p->times++;
    if (fence) p->fence = true;
    bool writes = old->use == SHARED_WRITE && new->use == SHARED_WRITE;
    if (p->differs) return;
    unsigned pair = (unsigned)(p - pairs), i = 0;
    while (i < n_pending && (pending[i].word != w->address || pending[i].pair != pair)) i++;
    if (!writes || i == PENDING) p->differs = true;
    else if (i < n_pending) pending[i].bytes |= both;
    else pending[n_pending++] = (Pending){w->address, value_at(w->address), both, pair};
}

static bool is_doubtful(SharedUse a, SharedUse b)
{
    return a == SHARED_READ && b == SHARED_ATOMIC_WRITE;
}

static void conflict(const Watched *w, const Event *old, const Event *new)
{
    enum { LIKE = 4 }; /* comparisons */
    looks += LIKE;
    bool fence = order_only_fence_missing(new->at.rank, &old->at);
    if (!is_doubtful(old->use, new->use) && !is_doubtful(new->use, old->use)) {
        found(w, old, new, fence);
        return;
    }
    for (unsigned i = 0; i < n_doubtful; i++) {
        const MaybePadding *d = &doubtful[i];
        const Event *read = d->old.use == SHARED_READ ? &d->old : &d->new,
                    *this = old->use == SHARED_READ ? old : new;
        if (d->word == w && d->old.pc == old->pc && d->new.pc == new->pc &&
            read->at.block == this->at.block && read->at.rank == this->at.rank)
            return;
    }
    if (!doubtful) doubtful = exec_allocate(DOUBTS * sizeof *doubtful);
    looks += n_doubtful;
    if (n_doubtful < DOUBTS) doubtful[n_doubtful++] = (MaybePadding){w, *old, *new, fence};
    else incomplete = true;
}

static bool same_thread(const Event *a, const Event *b)
{
    return a->at.block == b->at.block && a->at.rank == b->at.rank;
}

/* Places that read plainly and go on atomically. */
enum { CONFIRMED = 64 };
static const void *confirmed[CONFIRMED];
static unsigned n_confirmed;

static bool is_confirmed(const void *pc)
{
    for (unsigned i = 0; i < n_confirmed; i++)
        if (confirmed[i] == pc) return true;
    return false;
}

static void confirm_place(const void *pc)
{
    if (!is_confirmed(pc) && n_confirmed < CONFIRMED) confirmed[n_confirmed++] = pc;
}

static void confirm(Watched *w, const Event *atomic)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->events[i].use == SHARED_READ && !w->events[i].confirmed &&
            same_thread(&w->events[i], atomic)) {
            w->events[i].confirmed = true;
            confirm_place(w->events[i].pc);
        }
}

/* An atomic access to a word comes before what follows, in order, a later atomic access to it. */
static bool is_overtaken(const Watched *w, uint32_t i, const Event *new)
{
    while (++i < w->n)
        if (w->events[i].use >= SHARED_ATOMIC_READ && order_after(new->at.rank, &w->events[i].at))
            return true;
    return false;
}

/* The same again, with no barrier, fence or flag of anybody since: what it meets is known. */
static bool is_known(const Watched *w, const Event *new)
{
    enum { LATEST = 16 };
    for (uint32_t i = w->n; i-- > 0 && i + LATEST >= w->n;) {
        const Event *old = &w->events[i];
        if (old->pc == new->pc && old->use == new->use &&same_thread(old, new) &&
            old->at.stamp == new->at.stamp && (old->bytes & new->bytes) == new->bytes)
            return true;
    }
    return false;
}

static void watch_word(Watched *w, const Event *new)
{
    bool atomic = new->use >= SHARED_ATOMIC_READ,
         write = new->use == SHARED_WRITE || new->use == SHARED_ATOMIC_WRITE;
    bool known = false;
    uint32_t alike = 0;
    if (new->use != SHARED_ATOMIC_WRITE && is_known(w, new)) return;
    if (looks > MOST_LOOKS && !w->surely) {
        incomplete = true;
        return;
    }
    looks += w->n;
    if (new->use == SHARED_ATOMIC_WRITE) confirm(w, new);
    for (uint32_t i = 0; i < w->n; i++) {
        Event *old = &w->events[i];
        bool old_write = old->use == SHARED_WRITE || old->use == SHARED_ATOMIC_WRITE;
        alike += old->pc == new->pc && old->use == new->use;
        if (old->pc == new->pc && old->use == new->use && old->at.block == new->at.block &&
            old->at.rank == new->at.rank && old->at.stamp == new->at.stamp) {
            known = known || (old->bytes & new->bytes) == new->bytes;
            continue;
        }
        if (!(old->bytes & new->bytes) || (!write && !old_write) ||
            (atomic && old->use >= SHARED_ATOMIC_READ))
            continue;
        if (!order_after(new->at.rank, &old->at) &&
            !(old->use >= SHARED_ATOMIC_READ && is_overtaken(w, i, new)))
            conflict(w, old, new);
    }
    if (known) return;
    if (w->n == EVENTS) {
        incomplete = incomplete || alike < ENOUGH;
        return;
    }
    if (w->n == w->room) {
        uint32_t room = w->room ? 2 * w->room : 8;
        Event *events = realloc(w->events, room * sizeof *events);
        if (!events) {
            incomplete = true;
            return;
        }
        w->events = events;
        w->room = room;
    }
    w->events[w->n++] = *new;
}

static void watch(uintptr_t address, size_t bytes, SharedUse use, const void *pc)
{
    settle();
    for (uintptr_t word = address / WORD * WORD, end = address + bytes; word < end; word += WORD) {
        FootprintPage *page = footprint_find(word);
        if (!page || !page->watched) {
            word = word / FOOTPRINT_PAGE * FOOTPRINT_PAGE + FOOTPRINT_PAGE - WORD;
            continue;
        }
        Watched *w = watched_at(word, false);
        if (!w) continue;
        Event event = {.at = order_now(threelane_rank()),
                       .pc = pc,
                       .use = use,
                       .passed_line = exec_block->passed_line};
        for (unsigned i = 0; i < WORD; i++)
            if (word + i >= address && word + i < end) event.bytes |= (uint8_t)(1u << i);
        watch_word(w, &event);
    }
}

/* ---- the kernel's life ---- */

static uint64_t block_number(void)
{
    const TraceDim *grid = &exec_run->launch.grid;
    return exec_block->index[0] +
           (uint64_t)grid->x * (exec_block->index[1] + (uint64_t)grid->y * exec_block->index[2]);
}

static void forget(void)
{
    for (unsigned i = 0; i < n_watched; i++) free(watched[i].events);
    if (n_watched) {
        memset(table, 0, sizeof table);
        memset(watched_pages, 0, sizeof watched_pages);
    }
    looks = 0;
    incomplete = false;
    n_watched = n_places = n_pairs = n_pending = n_spans = n_doubtful = n_confirmed = 0;
}

void race_begin(void)
{
    if (inside_on) return;
    const TraceDim *block = &exec_run->launch.block;
    race_on = hazard_wanted(HAZARD_GLOBAL_RACE) && !exec_run->suspended;
    if (!race_on || race_watching) return;
    uint32_t threads = block->x * block->y * block->z;
    for (step = 4; step < 2 * threads + 2; step *= 2) {}
    new_times();
}

void race_block_begins(void)
{
    if (race_watching) order_block(block_number());
    if (!race_on) return;
    touch_tell();
    next_epoch();
    race_block = race_epoch;
    race_done = 0;
}

void race_block_ends(void)
{
    if (race_watching) settle(), order_block_ended(block_number());
}

void race_barrier(void)
{
    if (race_watching) settle(), order_barrier();
    if (!race_on) return;
    touch_tell();
    next_epoch();
    race_done = race_epoch - race_block;
}

void race_grid_barrier(void)
{
    if (race_watching) settle(), order_grid_barrier();
    if (race_on) touch_tell(), new_times();
}

void race_cluster_barrier(const uint64_t *blocks, uint32_t n)
{
    if (race_watching) settle(), order_cluster_barrier(blocks, n);
    if (!race_on) return;
    touch_tell();
    next_epoch();
    race_done = race_epoch - race_block;
}

void race_warp(uint32_t first_rank, uint32_t lanes)
{
    if (race_watching) settle(), order_warp(first_rank, lanes);
}

void race_fence(bool block_only)
{
    if (race_watching) settle(), order_fence(threelane_rank(), block_only);
}

void race_release(uintptr_t address, bool adds)
{
    if (race_watching) order_release(threelane_rank(), address, adds);
}

void race_acquire(uintptr_t address)
{
    if (race_watching) order_acquire(threelane_rank(), address);
}

/* A kernel that is launched over and over, and suspected each time, is watched ever more rarely. */
static bool is_turn(void)
{
    enum { ALWAYS = 4 };
    uint32_t n = ++this_kernel()->suspected;
    return n <= ALWAYS || (n & (n - 1)) == 0;
}

bool race_wants_again(void) { return race_on && !race_watching && n_places && is_turn(); }

void race_watch(void)
{
    race_watching = true;
    order_begin();
}

/* The ranges are of the few words that were watched: all that the two places touched is wider. */
static void widen(RacePair *p)
{
    const MemoryBlock *block = memory_find((const void *)p->low);
    uintptr_t begin = block ? block->address : 0, low = UINTPTR_MAX, high = 0;
    for (unsigned i = 0; i < n_places; i++) {
        const Place *place = &places[i];
        if (place->block != begin || !begin ||
            (place->pc != p->first.pc && place->pc != p->second.pc))
            continue;
        if (place->low < low) low = place->low;
        if (place->high > high) high = place->high;
    }
    if (low < p->low) p->low = low;
    if (high > p->high) p->high = high;
}

/* What was found on the watched words. */
static void report_found(void)
{
    settle();
    for (unsigned i = 0; i < n_doubtful; i++)
        if (!is_confirmed(
                (doubtful[i].old.use == SHARED_READ ? &doubtful[i].old : &doubtful[i].new)->pc))
            found(doubtful[i].word, &doubtful[i].old, &doubtful[i].new, doubtful[i].fence);
    for (int reads = 0; reads < 2; reads++) /* of a counter: its writes say more */
        for (unsigned i = 0; i < n_pairs; i++) {
            if ((pairs[i].first.use != SHARED_WRITE || pairs[i].second.use != SHARED_WRITE) !=
                reads)
                continue;
            widen(&pairs[i]);
            exec_report_global_race(&pairs[i]);
        }
    n_pairs = n_pending = n_doubtful = n_confirmed = 0;
}

void race_grid_over(void)
{
    if (race_watching) {
        report_found();
        for (unsigned i = 0; i < n_watched; i++) watched[i].n = 0;
        order_begin();
    }
    if (race_on) touch_tell(), new_times();
}

void race_end(void)
{
    if (race_watching) {
        report_found();
        incomplete = incomplete || order_is_blind();
        order_end();
    }
    if (incomplete) exec_report_partly_watched();
    race_on = race_watching = false;
    forget();
}
