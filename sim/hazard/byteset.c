#include "sim/hazard/byteset.h"
#include <stdlib.h>
#include <string.h>

static const uint64_t all_bits[BYTES_WORDS] = {
#define ONES8 ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull
    ONES8, ONES8, ONES8, ONES8, ONES8, ONES8, ONES8, ONES8};

static const uint64_t *bits_of(const HazardBytes *set, const BytesExtent *extent)
{
    return extent->bits == BYTES_ALL ? all_bits : set->bits + (size_t)extent->bits * BYTES_WORDS;
}

static bool grow(HazardBytes *set)
{
    if (set->n < set->room) return true;
    uint32_t room = set->room ? 2 * set->room : 2;
    BytesExtent *more = realloc(set->extents, room * sizeof *more);
    if (!more) {
        set->failed = true;
        return false;
    }
    set->extents = more;
    set->room = room;
    return true;
}

static void add_extent(HazardBytes *set, uintptr_t page, uint32_t pages, uint32_t bits)
{
    if (grow(set)) set->extents[set->n++] = (BytesExtent){page, pages, bits};
}

/* A page of bits for the last extent alone. */
static uint64_t *new_bits(HazardBytes *set)
{
    if (set->n_bits == set->room_bits) {
        uint32_t room = set->room_bits ? 2 * set->room_bits : 1;
        uint64_t *more = realloc(set->bits, (size_t)room * BYTES_WORDS * sizeof *more);
        if (!more) {
            set->failed = true;
            return NULL;
        }
        set->bits = more;
        set->room_bits = room;
    }
    set->shared = false;
    return set->bits + (size_t)set->n_bits++ * BYTES_WORDS;
}

/* The same bits among the last few pages of them: a stride of 12 bytes repeats every three
 * pages. */
static bool find_bits(HazardBytes *set, const uint64_t *bits, uint32_t *found)
{
    enum { FEW = 32 };
    const uint64_t *last = set->bits + (size_t)set->n_bits * BYTES_WORDS;
    for (uint32_t k = 1; k <= FEW && k <= set->n_bits; k++) {
        last -= BYTES_WORDS;
        if (last[0] != bits[0] || memcmp(last, bits, BYTES_WORDS * sizeof *bits) != 0) continue;
        *found = set->n_bits - k;
        if (k == 1) set->shared = true;
        return true;
    }
    return false;
}

static bool is_all(const uint64_t *bits)
{
    uint64_t all = ~0ull;
    for (int i = 0; i < BYTES_WORDS; i++) all &= bits[i];
    return all == ~0ull;
}

static bool is_none(const uint64_t *bits)
{
    uint64_t any = 0;
    for (int i = 0; i < BYTES_WORDS; i++) any |= bits[i];
    return !any;
}

static bool follows(const HazardBytes *set, uintptr_t page)
{
    const BytesExtent *last = set->n ? &set->extents[set->n - 1] : NULL;
    return last && last->page + last->pages == page && last->pages < UINT32_MAX;
}

/* Adds bits to the page that the set ends with. */
static void add_again(HazardBytes *set, const uint64_t *bits)
{
    BytesExtent *last = &set->extents[set->n - 1];
    uint64_t sum[BYTES_WORDS];
    const uint64_t *had = bits_of(set, last);
    for (int i = 0; i < BYTES_WORDS; i++) sum[i] = had[i] | bits[i];
    if (memcmp(sum, had, sizeof sum) == 0) return;
    uintptr_t page = last->page + last->pages - 1;
    if (last->pages > 1) {
        last->pages--;
    } else {
        if (last->bits != BYTES_ALL && last->bits == set->n_bits - 1 && !set->shared) {
            set->n_bits--;
            set->shared = true;
        }
        set->n--;
    }
    bytes_add_page(set, page, sum);
}

void bytes_add_page(HazardBytes *set, uintptr_t page, const uint64_t bits[BYTES_WORDS])
{
    if (is_none(bits)) return;
    if (set->n) {
        BytesExtent *last = &set->extents[set->n - 1];
        if (page < last->page + last->pages) {
            add_again(set, bits);
            return;
        }
        if (follows(set, page) &&
            memcmp(bits_of(set, last), bits, BYTES_WORDS * sizeof *bits) == 0) {
            last->pages++;
            return;
        }
    }
    if (is_all(bits)) {
        add_extent(set, page, 1, BYTES_ALL);
        return;
    }
    uint32_t known;
    if (find_bits(set, bits, &known)) {
        add_extent(set, page, 1, known);
        return;
    }
    uint64_t *to = new_bits(set);
    if (!to) return;
    memcpy(to, bits, BYTES_WORDS * sizeof *bits);
    add_extent(set, page, 1, set->n_bits - 1);
}

/* The bits of [from, to) within a page. */
static void page_bits(uint64_t *bits, unsigned from, unsigned to)
{
    memset(bits, 0, BYTES_WORDS * sizeof *bits);
    for (unsigned word = from / 64; word < BYTES_WORDS && word * 64 < to; word++) {
        uint64_t mask = ~0ull;
        if (word * 64 < from) mask &= ~0ull << (from % 64);
        if (word * 64 + 64 > to) mask &= ~0ull >> (word * 64 + 64 - to);
        bits[word] = mask;
    }
}

void bytes_add_range(HazardBytes *set, uintptr_t address, size_t bytes)
{
    uint64_t bits[BYTES_WORDS];
    if (!bytes) return;
    if (bytes > UINTPTR_MAX - address) bytes = UINTPTR_MAX - address;
    uintptr_t end = address + bytes, page = address / BYTES_PAGE, last = (end - 1) / BYTES_PAGE;
    unsigned from = address % BYTES_PAGE;
    if (from || page == last) {
        page_bits(bits, from, page == last ? (unsigned)((end - 1) % BYTES_PAGE) + 1 : BYTES_PAGE);
        bytes_add_page(set, page++, bits);
        if (page > last) return;
    }
    uintptr_t whole = end / BYTES_PAGE; /* pages up to here are all of them */
    if (whole > page) {
        bytes_add_page(set, page, all_bits);
        page++;
        while (page < whole && set->n) { /* the rest in one step */
            BytesExtent *extent = &set->extents[set->n - 1];
            uintptr_t more = whole - page, most = UINT32_MAX - extent->pages;
            if (more > most) more = most;
            if (extent->bits != BYTES_ALL || !more) {
                bytes_add_page(set, page++, all_bits);
                continue;
            }
            extent->pages += (uint32_t)more;
            page += more;
        }
    }
    if (end % BYTES_PAGE) {
        page_bits(bits, 0, end % BYTES_PAGE);
        bytes_add_page(set, end / BYTES_PAGE, bits);
    }
}

void bytes_add_rows(HazardBytes *set, uintptr_t address, size_t pitch, size_t width, size_t height)
{
    if (height > 1 && pitch == width) {
        bytes_add_range(set, address, width * height);
        return;
    }
    for (size_t row = 0; row < height; row++) bytes_add_range(set, address + row * pitch, width);
}

void bytes_trim(HazardBytes *set)
{
    if (set->room > set->n && set->n) {
        BytesExtent *less = realloc(set->extents, set->n * sizeof *less);
        if (less) set->extents = less, set->room = set->n;
    }
    if (set->room_bits > set->n_bits && set->n_bits) {
        uint64_t *less = realloc(set->bits, (size_t)set->n_bits * BYTES_WORDS * sizeof *less);
        if (less) set->bits = less, set->room_bits = set->n_bits;
    }
}

void bytes_release(HazardBytes *set)
{
    free(set->extents);
    free(set->bits);
    *set = (HazardBytes){0};
}

void bytes_span(const HazardBytes *set, uintptr_t *low, uintptr_t *high)
{
    *low = *high = 0;
    if (!set->n) return;
    const BytesExtent *first = &set->extents[0], *last = &set->extents[set->n - 1];
    const uint64_t *begin = bits_of(set, first), *end = bits_of(set, last);
    unsigned from = 0, to = BYTES_WORDS;
    while (from < BYTES_WORDS && !begin[from]) from++;
    while (to > 0 && !end[to - 1]) to--;
    if (from == BYTES_WORDS || !to) return;
    *low = first->page * BYTES_PAGE + from * 64 + (unsigned)__builtin_ctzll(begin[from]);
    *high = (last->page + last->pages - 1) * BYTES_PAGE + to * 64 -
            (unsigned)__builtin_clzll(end[to - 1]);
}

uint64_t bytes_count(const HazardBytes *set)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        const uint64_t *bits = bits_of(set, &set->extents[i]);
        unsigned ones = 0;
        for (int k = 0; k < BYTES_WORDS; k++) ones += (unsigned)__builtin_popcountll(bits[k]);
        count += (uint64_t)ones * set->extents[i].pages;
    }
    return count;
}

size_t bytes_memory(const HazardBytes *set)
{
    return set->room * sizeof *set->extents +
           (size_t)set->room_bits * BYTES_WORDS * sizeof *set->bits;
}

/* The next pair of extents that share pages, from (*i, *j) on: [*page, *end). */
static bool next_pair(const HazardBytes *a, const HazardBytes *b, uint32_t *i, uint32_t *j,
                      uintptr_t *page, uintptr_t *end)
{
    while (*i < a->n && *j < b->n) {
        const BytesExtent *x = &a->extents[*i], *y = &b->extents[*j];
        uintptr_t x_end = x->page + x->pages, y_end = y->page + y->pages;
        *page = x->page > y->page ? x->page : y->page;
        *end = x_end < y_end ? x_end : y_end;
        if (*page < *end) return true;
        if (x_end <= y_end) ++*i;
        else ++*j;
    }
    return false;
}

static void step(const HazardBytes *a, const HazardBytes *b, uint32_t *i, uint32_t *j)
{
    uintptr_t x_end = a->extents[*i].page + a->extents[*i].pages,
              y_end = b->extents[*j].page + b->extents[*j].pages;
    if (x_end <= y_end) ++*i;
    if (y_end <= x_end) ++*j;
}

static uint64_t any_of(const uint64_t *x, const uint64_t *y)
{
    uint64_t any = 0;
    for (int k = 0; k < BYTES_WORDS; k++) any |= x[k] & y[k];
    return any;
}

bool bytes_meet(const HazardBytes *a, const HazardBytes *b)
{
    uint32_t i = 0, j = 0;
    uintptr_t page, end;
    while (next_pair(a, b, &i, &j, &page, &end)) {
        if (any_of(bits_of(a, &a->extents[i]), bits_of(b, &b->extents[j]))) return true;
        step(a, b, &i, &j);
    }
    return false;
}

/* What two pages of bits have in common. */
typedef struct Common {
    const uint64_t *x, *y;
    uint32_t ones;
    uint16_t first, last;
} Common;

static void look_common(Common *c, const uint64_t *both)
{
    int low = 0, high = BYTES_WORDS - 1;
    c->ones = 0;
    while (low < BYTES_WORDS && !both[low]) low++;
    if (low == BYTES_WORDS) return;
    while (!both[high]) high--;
    for (int k = low; k <= high; k++) c->ones += (unsigned)__builtin_popcountll(both[k]);
    c->first = (uint16_t)((unsigned)low * 64 + (unsigned)__builtin_ctzll(both[low]));
    c->last = (uint16_t)((unsigned)high * 64 + 63 - (unsigned)__builtin_clzll(both[high]));
}

static void note(BytesMeet *meet, uintptr_t page, uint64_t pages, const Common *common)
{
    if (!common->ones) return;
    if (!meet->count) meet->first = page * BYTES_PAGE + common->first;
    meet->last = (page + pages - 1) * BYTES_PAGE + common->last;
    meet->count += common->ones * pages;
}

bool bytes_meet_in(const HazardBytes *a, const HazardBytes *b, uintptr_t from, uintptr_t to,
                   BytesMeet *meet)
{
    uint32_t i = 0, j = 0;
    uintptr_t page, end;
    enum { CACHE = 64 }; /* strides: the same few pages of bits again and again */
    Common cache[CACHE];
    *meet = (BytesMeet){0};
    if (from >= to) return false;
    for (int k = 0; k < CACHE; k++) cache[k].x = NULL;
    uintptr_t first_page = from / BYTES_PAGE, last_page = (to - 1) / BYTES_PAGE;
    while (next_pair(a, b, &i, &j, &page, &end)) {
        const uint64_t *x = bits_of(a, &a->extents[i]), *y = bits_of(b, &b->extents[j]);
        uint64_t both[BYTES_WORDS], mask[BYTES_WORDS];
        uint32_t hash = a->extents[i].bits * 0x9E3779B1u + b->extents[j].bits * 0x85EBCA6Bu;
        Common *common = &cache[(hash >> 20) % CACHE], border_common;
        step(a, b, &i, &j);
        if (page < first_page) page = first_page;
        if (end > last_page + 1) end = last_page + 1;
        if (page >= end) continue;
        if (common->x != x || common->y != y) {
            common->x = x, common->y = y;
            for (int k = 0; k < BYTES_WORDS; k++) both[k] = x[k] & y[k];
            look_common(common, both);
        }
        if (!common->ones) continue;
        while (page < end) { /* the pages at the borders by themselves, those between as one */
            bool border =
                (page == first_page && from % BYTES_PAGE) || (page == last_page && to % BYTES_PAGE);
            uintptr_t inner = end == last_page + 1 && to % BYTES_PAGE ? end - 1 : end;
            if (!border) {
                note(meet, page, inner - page, common);
                page = inner;
                continue;
            }
            page_bits(mask, page == first_page ? from % BYTES_PAGE : 0,
                      page == last_page ? (unsigned)((to - 1) % BYTES_PAGE) + 1 : BYTES_PAGE);
            for (int k = 0; k < BYTES_WORDS; k++) mask[k] &= x[k] & y[k];
            look_common(&border_common, mask);
            note(meet, page, 1, &border_common);
            page++;
        }
    }
    return meet->count != 0;
}

bool bytes_covers(const HazardBytes *whole, const HazardBytes *part)
{
    uint32_t i = 0;
    for (uint32_t j = 0; j < part->n; j++) {
        const BytesExtent *p = &part->extents[j];
        const uint64_t *wanted = bits_of(part, p);
        for (uintptr_t page = p->page, end = p->page + p->pages; page < end;) {
            while (i < whole->n && whole->extents[i].page + whole->extents[i].pages <= page) i++;
            if (i == whole->n || whole->extents[i].page > page) return false;
            const uint64_t *had = bits_of(whole, &whole->extents[i]);
            for (int k = 0; k < BYTES_WORDS; k++)
                if (wanted[k] & ~had[k]) return false;
            page = whole->extents[i].page + whole->extents[i].pages;
        }
    }
    return true;
}
