/* footprint.h - which bytes a kernel has read and written, and the undo log of its plain stores.
 *
 * One page of shadow per touched page of memory, with a word for each line of 64 bytes, a bit for
 * each byte:
 *   valid   the kernel may touch the byte
 *   readable  and the byte has been written before, or it has been said that it was not (memory.h,
 *             memory_written)
 *   read    it has read it
 *   held    it has written it with a plain store that must not be seen before the kernel's virtual
 *           end
 *   wrote   it has written it otherwise, or the store has landed since
 *   atomic  it has read it by atomic (or volatile) accesses; written it so; which of `wrote` are
 *           plain stores
 * While the kernel runs, memory has its new values and Shadow.old what was there before;
 * footprint_swap exchanges the two for every held byte. Memory that is private to the kernel
 * (stacks, shared memory) has no page.
 *
 * At most one footprint is live at a time: the running kernel's.
 */
#ifndef THREELANE_FOOTPRINT_H
#define THREELANE_FOOTPRINT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/hazard/byteset.h"
#include "sim/hazard/hazard.h"

enum { FOOTPRINT_ATOMIC_READ, FOOTPRINT_ATOMIC_WRITE, FOOTPRINT_PLAIN, FOOTPRINT_ATOMICS };
enum { FOOTPRINT_PAGE = 4096, FOOTPRINT_LINES = FOOTPRINT_PAGE / 64 };

typedef enum FootprintShare { FOOTPRINT_SOME, FOOTPRINT_NONE, FOOTPRINT_ALL } FootprintShare;

typedef struct FootprintPage {
    uintptr_t address;                /* of the memory it describes */
    uintptr_t also;                   /* and there it is, too (sim/memory/variables.h); or 0 */
    struct FootprintPage *next;       /* in the footprint; in the pool */
    struct FootprintPage *next_dirty; /* pages with held bytes since the last fence */
    struct FootprintPage *next_hash;
    unsigned char *old; /* NULL until the first held byte */
    unsigned char *log; /* old, while the page is in the list of dirty ones; else NULL */
    bool counts;        /* device-visible memory: stores are held back, bytes are counted */
    bool whole;         /* every byte is valid */
    bool ready;         /* and may be read without a further look */
    bool only_read, only_written; /* race.h: by plain accesses, and no byte written twice */
    bool had_stores;              /* only_written once, until a fence */
    bool watched;                 /* race.h: some of its words are */
    bool runs;   /* touch.c: accesses may not be noted yet; touch_changed(address) notes them */
    bool filled; /* log has all of the page that is not held */
    bool light;  /* and more may be held than is known: what differs from the log */
    bool lent;   /* old is a part of a granule's (sim/light/light.h) */
    FootprintShare reads, holds, writes; /* of read, held, wrote; while it is not live */
    uint32_t *cells, *byte_cells;        /* race.h: for words, or for bytes; NULL: there are none */
    uint64_t (*atomic)[FOOTPRINT_LINES]; /* FOOTPRINT_ATOMICS of them; NULL until the first atomic
                                            access */
    uint64_t read[FOOTPRINT_LINES], held[FOOTPRINT_LINES], wrote[FOOTPRINT_LINES],
        valid[FOOTPRINT_LINES];
    uint64_t readable[FOOTPRINT_LINES]; /* not kept where ready */
} FootprintPage;

typedef struct Footprint {
    int device; /* where it runs: what it may reach (peers.h) */
    FootprintPage *pages, *dirty;
    struct LightGranule *granules; /* what it has touched without hooks, while it is not live */
    bool is_light;                 /* some of its accesses have had no hooks */
    bool lands;                    /* and what they wrote has landed */
    double times;                  /* all its accesses, for each that had hooks */
    uint64_t sampled[2];           /* bytes that these have read, written */
    bool in_place;                 /* its held bytes are in memory, though it is not live */
    uintptr_t wild;                /* one of them wrote there, in no block; or 0 */
} Footprint;

/* The live footprint's pages, for the hooks: those of the arena by page number, others in a small
 * cache, where shadow is NULL for a page of private memory. footprint_live: the size of what the
 * table covers while a kernel runs, else 0. */
typedef struct FootprintCache {
    uintptr_t page;
    FootprintPage *shadow;
    bool plain; /* private, and neither shared memory nor beside it */
} FootprintCache;
enum { FOOTPRINT_CACHE = 256 };
extern FootprintPage **footprint_arena;
extern uintptr_t footprint_base, footprint_live;
extern FootprintCache footprint_cache[FOOTPRINT_CACHE];

/* The same pages, for aligned reads and writes that need few looks: the page's address, and one of
 * these. FREE: bits are set (of a write: where none is held yet), and that is all. CELLS,
 * BYTE_CELLS: so it is when race.h says so of its cells. None of them, or 0: look. */
enum { FOOTPRINT_FREE = 1, FOOTPRINT_CELLS = 2, FOOTPRINT_BYTE_CELLS = 4 };
extern uintptr_t *footprint_reads, *footprint_writes;
/* Something has changed that they depend on: ready, whole, log, and what race.h notes. */
void footprint_ways(const FootprintPage *);

void footprint_init(void);
/* The program's thread-local segment on this thread: where __shared__ variables are. */
void footprint_tls(void **begin, size_t *bytes);
/* What was copied from there comes back. What the executor has there itself does not: each such
 * variable has been told of, on the main OS thread. */
void footprint_tls_bring(const void *copy);
void footprint_tls_own(void *variable, size_t bytes);
/* On a page of it, but not in it? */
extern uintptr_t footprint_tls_pages, footprint_tls_page_bytes;
bool footprint_beside_tls(uintptr_t address);
/* Makes it the live one: its pages come into the hooks' tables and its held bytes into memory. */
void footprint_enter(Footprint *);
/* The reverse. Later: memory keeps its held bytes until footprint_settle, or for good where
 * footprint_publish comes before. */
void footprint_leave(Footprint *, bool later);
void footprint_settle(Footprint *);
/* Not live: are all held bytes in device memory? */
bool footprint_on_device(const Footprint *);
/* The page for an address in the live footprint, made when it is new; NULL: private to the kernel.
 * Bytes that the kernel may not touch are not valid there. */
FootprintPage *footprint_page(uintptr_t address);
/* First held byte of a page. */
void footprint_hold_page(FootprintPage *);
/* Of a whole page that has a log: keeps all of it that is not held, so that bytes can be held after
 * they have changed. */
void footprint_fill(FootprintPage *);
/* From here on accesses may come without hooks: memory is protected, and what is written so is
 * found out when the footprint is left. False: that cannot be done. */
bool footprint_go_light(void);
/* Any number of bytes, any alignment. False at the first byte that is not valid (*bad). */
bool footprint_read(uintptr_t address, size_t bytes, uintptr_t *bad);
/* The bytes that the last footprint_read, footprint_poll or footprint_land found never written:
 * none if count is 0. */
typedef struct FootprintFresh {
    uintptr_t first, last;
    size_t count;
} FootprintFresh;
extern FootprintFresh footprint_fresh;
/* They need not be found again. */
void footprint_told(const FootprintFresh *);
bool footprint_write(uintptr_t address, size_t bytes, uintptr_t *bad);
/* Has the kernel written some of the bytes before? */
bool footprint_has_written(uintptr_t address, size_t bytes);
/* The same by atomic or volatile accesses. Writes land at once: held bits go. reads: it uses the
 * value it replaces. */
bool footprint_poll(uintptr_t address, size_t bytes, uintptr_t *bad);
bool footprint_land(uintptr_t address, size_t bytes, bool reads, uintptr_t *bad);
/* All held stores so far land. */
void footprint_fence(void);
/* Keep what landed stores of the live footprint replace, so that footprint_undo can bring it back.
 * Begins anew. */
void footprint_keep(bool);
/* Not while live: memory becomes what it was before the kernel, whose footprint ends. False, and
 * nothing is changed, when that was not kept. */
bool footprint_undo(Footprint *);
/* Writes the held values to memory, as far as it is still there. Not while live. */
void footprint_publish(Footprint *);
/* Unique bytes. Of accesses without hooks it is an estimate: of what they have touched, no more
 * than the others would have, had there been so many of them. */
void footprint_count(const Footprint *, uint64_t *read, uint64_t *written);
/* Tells of every page with memory that is not in the arena's part of the device: where its first
 * touched byte is, and how many it has read and written. */
typedef void FootprintTell(void *arg, uintptr_t first, uint64_t read, uint64_t written);
void footprint_elsewhere(const Footprint *, FootprintTell *, void *arg);
void footprint_free(Footprint *);
/* The bytes touched so far, by kind of access. Not while live. */
void footprint_sets(const Footprint *, int device, HazardBytes sets[HAZARD_TOUCHES]);

/* NULL: private to the kernel, and so without a page. */
static inline FootprintPage *footprint_find(uintptr_t address)
{
    uintptr_t offset = address - footprint_base;
    if (__builtin_expect(offset < footprint_live, 1)) {
        FootprintPage *page = footprint_arena[offset / FOOTPRINT_PAGE];
        if (__builtin_expect(page != NULL, 1)) return page;
    } else {
        const FootprintCache *c = &footprint_cache[address / FOOTPRINT_PAGE % FOOTPRINT_CACHE];
        if (__builtin_expect(c->page == address / FOOTPRINT_PAGE, 1)) return c->shadow;
    }
    return footprint_page(address);
}
#endif
