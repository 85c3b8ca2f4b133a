#include "sim/memory/advice.h"
#include <stdlib.h>

enum { PAGE = 4096 };

/* Parts that have been spoken of; none overlaps another. */
typedef struct Part {
    uint32_t alloc;
    uintptr_t begin, end;
    Advice advice;
} Part;
static Part *parts;
static size_t n_parts, room;

static const Advice nothing = {.preferred = ADVICE_NOWHERE, .prefetched = ADVICE_NOWHERE};

static Part *add(uint32_t alloc, uintptr_t begin, uintptr_t end, const Advice *advice)
{
    if (n_parts == room) {
        size_t more = room ? 2 * room : 16;
        Part *grown = realloc(parts, more * sizeof *grown);
        if (!grown) return NULL;
        parts = grown;
        room = more;
    }
    parts[n_parts] = (Part){alloc, begin, end, *advice};
    return &parts[n_parts++];
}

static uintptr_t first_page(uintptr_t at) { return at / PAGE * PAGE; }

/* No part reaches over this address any more. */
static bool split(uint32_t alloc, uintptr_t at)
{
    for (size_t i = 0; i < n_parts; i++) {
        if (parts[i].alloc != alloc || parts[i].begin >= at || parts[i].end <= at) continue;
        uintptr_t end = parts[i].end;
        Advice advice = parts[i].advice;
        parts[i].end = at;
        return add(alloc, at, end, &advice) != NULL;
    }
    return true;
}

/* The first part that begins in [begin, end); NULL: none. */
static Part *next_part(uint32_t alloc, uintptr_t begin, uintptr_t end)
{
    Part *first = NULL;
    for (size_t i = 0; i < n_parts; i++)
        if (parts[i].alloc == alloc && parts[i].begin >= begin && parts[i].begin < end &&
            (!first || parts[i].begin < first->begin))
            first = &parts[i];
    return first;
}

bool advice_change(uint32_t alloc, uintptr_t address, size_t bytes,
                   void (*change)(Advice *, const void *), const void *arg)
{
    uintptr_t at = first_page(address), end = first_page(address + bytes + PAGE - 1);
    if (!split(alloc, at) || !split(alloc, end)) return false;
    while (at < end) {
        Part *part = next_part(alloc, at, end);
        uintptr_t until = part ? part->begin : end;
        if (until > at) part = add(alloc, at, until, &nothing);
        if (!part) return false;
        change(&part->advice, arg);
        at = part->end;
    }
    return true;
}

void advice_each(uint32_t alloc, uintptr_t address, size_t bytes,
                 void (*visit)(const Advice *, void *), void *arg)
{
    uintptr_t at = first_page(address), end = first_page(address + bytes + PAGE - 1), known = 0;
    for (size_t i = 0; i < n_parts; i++) {
        const Part *part = &parts[i];
        if (part->alloc != alloc || part->end <= at || part->begin >= end) continue;
        visit(&part->advice, arg);
        known += (part->end < end ? part->end : end) - (part->begin > at ? part->begin : at);
    }
    if (known < end - at) visit(&nothing, arg);
}
