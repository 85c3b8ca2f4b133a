#include "sim/memory/written.h"
#include <stdlib.h>
#include <string.h>

struct Written {
    uintptr_t begin, end;
    size_t n_pages, n_full;
    uint64_t *pages[]; /* none: nothing of the page is written; all_bits: everything */
};

#define ONES8 ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull
static uint64_t all_bits[WRITTEN_WORDS] = {ONES8, ONES8, ONES8, ONES8, ONES8, ONES8, ONES8, ONES8};
static const uint64_t no_bits[WRITTEN_WORDS];

Written *written_new(uintptr_t address, size_t bytes)
{
    if (!bytes) return NULL;
    uintptr_t first = address / WRITTEN_PAGE, last = (address + bytes - 1) / WRITTEN_PAGE;
    Written *w = calloc(1, sizeof *w + (last - first + 1) * sizeof *w->pages);
    if (w) w->begin = address, w->end = address + bytes, w->n_pages = last - first + 1;
    return w;
}

void written_free(Written *w)
{
    if (!w) return;
    if (w->n_full < w->n_pages)
        for (size_t i = 0; i < w->n_pages; i++)
            if (w->pages[i] != all_bits) free(w->pages[i]);
    free(w);
}

/* Sets the bits of [from, to), offsets in a page. */
static void set_bits(uint64_t *bits, unsigned from, unsigned to)
{
    for (unsigned word = from / 64; word * 64 < to; word++) {
        uint64_t mask = ~0ull;
        if (word * 64 < from) mask &= ~0ull << (from % 64);
        if (word * 64 + 64 > to) mask &= ~0ull >> (word * 64 + 64 - to);
        bits[word] |= mask;
    }
}

static bool is_full(const uint64_t *bits)
{
    uint64_t all = ~0ull;
    for (int i = 0; i < WRITTEN_WORDS; i++) all &= bits[i];
    return all == ~0ull;
}

static uint64_t *open_page(Written *w, size_t i)
{
    if (w->pages[i]) return w->pages[i];
    uint64_t *bits = calloc(WRITTEN_WORDS, sizeof *bits);
    if (!bits) { /* better a miss than a false alarm */
        w->n_full++;
        return w->pages[i] = all_bits;
    }
    uintptr_t at = (w->begin / WRITTEN_PAGE + i) * WRITTEN_PAGE;
    if (at < w->begin) set_bits(bits, 0, (unsigned)(w->begin - at));
    if (at + WRITTEN_PAGE > w->end) set_bits(bits, (unsigned)(w->end - at), WRITTEN_PAGE);
    return w->pages[i] = bits;
}

static void look_full(Written *w, size_t i)
{
    if (w->pages[i] == all_bits || !is_full(w->pages[i])) return;
    free(w->pages[i]);
    w->pages[i] = all_bits;
    w->n_full++;
}

void written_add(Written *w, uintptr_t address, size_t bytes)
{
    if (!w || w->n_full == w->n_pages || !bytes) return;
    uintptr_t end = bytes > UINTPTR_MAX - address ? UINTPTR_MAX : address + bytes;
    if (address < w->begin) address = w->begin;
    if (end > w->end) end = w->end;
    while (address < end) {
        size_t i = address / WRITTEN_PAGE - w->begin / WRITTEN_PAGE;
        uintptr_t page = address / WRITTEN_PAGE * WRITTEN_PAGE;
        uintptr_t to = end - page > WRITTEN_PAGE ? page + WRITTEN_PAGE : end;
        if (w->pages[i] != all_bits) {
            bool whole = (address == page || address == w->begin) &&
                         (to == page + WRITTEN_PAGE || to == w->end);
            if (whole) {
                free(w->pages[i]);
                w->pages[i] = all_bits;
                w->n_full++;
            } else {
                uint64_t *bits = open_page(w, i);
                if (bits != all_bits)
                    set_bits(bits, (unsigned)(address - page), (unsigned)(to - page));
                look_full(w, i);
            }
        }
        address = to;
    }
}

void written_add_page(Written *w, uintptr_t page, const uint64_t bits[WRITTEN_WORDS])
{
    if (!w || page < w->begin / WRITTEN_PAGE || page - w->begin / WRITTEN_PAGE >= w->n_pages)
        return;
    size_t i = page - w->begin / WRITTEN_PAGE;
    uint64_t any = 0;
    for (int k = 0; k < WRITTEN_WORDS; k++) any |= bits[k];
    if (w->pages[i] == all_bits || !any) return;
    if (!w->pages[i] && is_full(bits)) {
        w->pages[i] = all_bits;
        w->n_full++;
        return;
    }
    uint64_t *to = open_page(w, i);
    if (to == all_bits) return;
    for (int k = 0; k < WRITTEN_WORDS; k++) to[k] |= bits[k];
    look_full(w, i);
}

bool written_all(const Written *w) { return !w || w->n_full == w->n_pages; }

const uint64_t *written_page(const Written *w, uintptr_t page)
{
    if (!w) return all_bits;
    size_t i = page - w->begin / WRITTEN_PAGE;
    if (i >= w->n_pages) return all_bits;
    return w->pages[i] ? w->pages[i] : no_bits;
}

bool written_gap(const Written *w, uintptr_t from, uintptr_t to, uintptr_t *gap_from,
                 uintptr_t *gap_to)
{
    if (written_all(w)) return false;
    if (from < w->begin) from = w->begin;
    if (to > w->end) to = w->end;
    bool inside = false;
    for (uintptr_t at = from; at < to;) {
        const uint64_t *bits = written_page(w, at / WRITTEN_PAGE);
        uint64_t word = bits[at % WRITTEN_PAGE / 64] >> (at % 64);
        unsigned left = 64 - at % 64;
        if (!inside && bits == all_bits) {
            at = (at / WRITTEN_PAGE + 1) * WRITTEN_PAGE;
            continue;
        }
        if (inside && bits == no_bits) {
            at = (at / WRITTEN_PAGE + 1) * WRITTEN_PAGE;
            continue;
        }
        /* how far on does it stay as it is? */
        uint64_t other = inside ? word : ~word;
        unsigned run = other ? (unsigned)__builtin_ctzll(other) : 64;
        if (run < left) {
            at += run;
            if (at >= to) break;
            if (inside) {
                *gap_to = at;
                return true;
            }
            *gap_from = at;
            inside = true;
        } else {
            at += left;
        }
    }
    *gap_to = to;
    return inside;
}

void written_copy(Written *to, uintptr_t to_address, const Written *from, uintptr_t from_address,
                  size_t bytes)
{
    uintptr_t at = from_address, end = from_address + bytes, gap, gap_end;
    if (written_all(to)) return;
    while (at < end && written_gap(from, at, end, &gap, &gap_end)) {
        written_add(to, to_address + (at - from_address), gap - at);
        at = gap_end;
    }
    if (at < end) written_add(to, to_address + (at - from_address), end - at);
}

size_t written_memory(const Written *w)
{
    if (!w) return 0;
    size_t bytes = sizeof *w + w->n_pages * sizeof *w->pages;
    for (size_t i = 0; i < w->n_pages; i++)
        if (w->pages[i] && w->pages[i] != all_bits) bytes += WRITTEN_WORDS * sizeof **w->pages;
    return bytes;
}
