/* light.c - see light.h. */
#include "sim/light/light.h"
#include "sim/memory/memory.h"
#include "sim/memory/peers.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LEAST_GRANULE = 64 << 10, MOST_GRANULES = 16384, WALKED = 4 };

/* Pages that are protected together, and what has been touched of them: by the number of the
 * granule, counted from the one that `begin` lies in. */
typedef struct Range {
    uintptr_t begin, end;
    size_t first;           /* in `granules` */
    uintptr_t next, walked; /* where the latest new granule ended, and how many bytes before it were
                               new one after the other */
} Range;

bool light_on;
static Range *ranges;
static size_t n_ranges, room_ranges;
static LightGranule **granules;
static size_t n_granules, room_granules;
static uintptr_t granule; /* bytes: a power of two */
static LightGranule *touched, **touched_tail = &touched;
static int reaching;
static void (*told)(const LightGranule *);

/* What granules kept, by its size, to be used again: memory that is new costs as much as the
 * copy. */
enum { SIZES = 16 };
static void *spare[SIZES];
static uintptr_t spare_granule;

static bool add_range(uintptr_t begin, uintptr_t end)
{
    if (n_ranges == room_ranges) {
        size_t room = room_ranges ? 2 * room_ranges : 64;
        Range *more = realloc(ranges, room * sizeof *more);
        if (!more) return false;
        ranges = more;
        room_ranges = room;
    }
    ranges[n_ranges++] = (Range){.begin = begin, .end = end};
    return true;
}

typedef struct Listing {
    bool failed;
} Listing;

static void list(uintptr_t begin, uintptr_t end, void *arg)
{
    Listing *l = arg;
    if (begin < end && !add_range(begin, end)) l->failed = true;
}

/* Other devices' variables are a second view of pages that are not the arena's alone. */
static void list_block(const MemoryBlock *block, void *arg)
{
    if (block->address - memory_base >= memory_span || block->variables) return;
    uintptr_t end = (block->address + block->bytes + PAGE - 1) / PAGE * PAGE;
    list(block->address / PAGE * PAGE, end, arg);
}

static int by_begin(const void *a, const void *b)
{
    const Range *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* In order, apart. */
static void merge(void)
{
    size_t n = 0;
    qsort(ranges, n_ranges, sizeof *ranges, by_begin);
    for (size_t i = 0; i < n_ranges; i++) {
        if (n && ranges[i].begin <= ranges[n - 1].end) {
            if (ranges[i].end > ranges[n - 1].end) ranges[n - 1].end = ranges[i].end;
        } else {
            ranges[n++] = ranges[i];
        }
    }
    n_ranges = n;
}

static void forget_spare(void)
{
    for (int i = 0; i < SIZES; i++)
        while (spare[i]) {
            void *next = *(void **)spare[i];
            free(spare[i]);
            spare[i] = next;
        }
}

static void choose_granule(void)
{
    uintptr_t bytes = 0;
    for (size_t i = 0; i < n_ranges; i++) bytes += ranges[i].end - ranges[i].begin;
    granule = LEAST_GRANULE;
    while (bytes / granule > MOST_GRANULES) granule *= 2;
    if (granule != spare_granule) forget_spare();
    spare_granule = granule;
}

static bool number_granules(void)
{
    n_granules = 0;
    for (size_t i = 0; i < n_ranges; i++) {
        Range *r = &ranges[i];
        r->first = n_granules;
        n_granules += (r->end - 1) / granule - r->begin / granule + 1;
    }
    if (n_granules > room_granules) {
        LightGranule **more = realloc(granules, n_granules * sizeof *more);
        if (!more) return false;
        granules = more;
        room_granules = n_granules;
    }
    memset(granules, 0, n_granules * sizeof *granules);
    return true;
}

static void open_all(size_t n)
{
    for (size_t i = 0; i < n; i++)
        mprotect((void *)ranges[i].begin, ranges[i].end - ranges[i].begin, PROT_READ | PROT_WRITE);
}

bool light_begin(int device, void (*saved)(const LightGranule *))
{
    Listing l = {false};
    n_ranges = 0;
    memory_each(list_block, &l);
    memory_each_open(list, &l);
    if (l.failed || !n_ranges) return false;
    merge();
    choose_granule();
    if (!number_granules()) return false;

    for (size_t i = 0; i < n_ranges; i++) {
        if (mprotect((void *)ranges[i].begin, ranges[i].end - ranges[i].begin, PROT_NONE) == 0)
            continue;
        open_all(i);
        return false;
    }
    touched = NULL;
    touched_tail = &touched;
    reaching = device;
    told = saved;
    light_on = true;
    return true;
}

static Range *range_at(uintptr_t address)
{
    size_t low = 0, high = n_ranges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges[middle].end <= address) low = middle + 1;
        else high = middle;
    }
    return low < n_ranges && ranges[low].begin <= address ? &ranges[low] : NULL;
}

static LightGranule **slot_of(const Range *r, uintptr_t address)
{
    return &granules[r->first + address / granule - r->begin / granule];
}

const LightGranule *light_written(uintptr_t address)
{
    const Range *r = range_at(address);
    const LightGranule *g = r ? *slot_of(r, address) : NULL;
    return g && g->old ? g : NULL;
}

/* How far what begins at `begin` goes: more than a piece where memory is walked upwards. */
static uintptr_t end_of(Range *r, uintptr_t begin)
{
    uintptr_t at = begin / granule * granule, most = granule << (SIZES - 1), end;
    r->walked = at == r->next ? r->walked : 0;
    end = at + granule + r->walked / WALKED / granule * granule;
    if (end > at + most) end = at + most;
    if (end > r->end) end = r->end;
    for (uintptr_t k = at + granule; k < end; k += granule)
        if (*slot_of(r, k)) end = k;
    r->walked += end - at;
    r->next = end;
    return end;
}

static LightGranule *granule_new(Range *r, uintptr_t address)
{
    LightGranule *g = malloc(sizeof *g);
    if (!g) return NULL;
    uintptr_t begin = address / granule * granule;
    if (begin < r->begin) begin = r->begin;
    *g = (LightGranule){.begin = begin, .end = end_of(r, begin), .pieces = granule};
    for (uintptr_t at = begin; at < g->end; at = (at / granule + 1) * granule) *slot_of(r, at) = g;
    *touched_tail = g;
    touched_tail = &g->next;
    return g;
}

/* Room for the granule's bytes. */
static unsigned char *take_spare(LightGranule *g)
{
    while (granule << g->size < g->end - g->begin) g->size++;
    void *bytes = spare[g->size];
    if (bytes) spare[g->size] = *(void **)bytes;
    else bytes = malloc(granule << g->size);
    return bytes;
}

/* Is there memory of a block that the device reaches on the page? */
static bool is_block(uintptr_t address)
{
    const MemoryBlock *block = memory_find((const void *)address);
    return block && peers_reach(reaching, block);
}

bool light_fault(uintptr_t address, bool write)
{
    Range *r = range_at(address);
    if (!light_on || !r || !is_block(address)) return false;
    LightGranule *g = *slot_of(r, address);
    if (!g) g = granule_new(r, address);
    if (!g || (g->old && !write)) return false;

    int how = PROT_READ | (write ? PROT_WRITE : 0);
    if (mprotect((void *)g->begin, g->end - g->begin, how) != 0) return false;
    g->read |= !write;
    if (!write) return true;
    g->old = take_spare(g);
    if (!g->old) return false;
    memcpy(g->old, (const void *)g->begin, g->end - g->begin);
    told(g);
    return true;
}

LightGranule *light_end(void)
{
    if (!light_on) return NULL;
    open_all(n_ranges);
    light_on = false;
    return touched;
}

void light_free(LightGranule *g)
{
    for (LightGranule *next; g; g = next) {
        next = g->next;
        if (g->old && g->pieces != spare_granule) {
            free(g->old);
        } else if (g->old) {
            *(void **)g->old = spare[g->size];
            spare[g->size] = g->old;
        }
        free(g);
    }
}
