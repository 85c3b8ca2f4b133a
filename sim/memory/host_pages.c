/* host_pages.c - see host_pages.h. */
#include "sim/memory/host_pages.h"
#include <sys/mman.h>

uint64_t host_pages_fresh(const void *address, size_t bytes)
{
    enum { AT_ONCE = 1024 };
    unsigned char there[AT_ONCE];
    uintptr_t at = (uintptr_t)address / HOST_PAGES_BYTES * HOST_PAGES_BYTES,
              end = (uintptr_t)address + bytes;
    uint64_t fresh = 0;

    while (at < end) {
        size_t pages = (end - at + HOST_PAGES_BYTES - 1) / HOST_PAGES_BYTES;
        if (pages > AT_ONCE) pages = AT_ONCE;
        if (mincore((void *)at, pages * HOST_PAGES_BYTES, there)) return 0;
        for (size_t i = 0; i < pages; i++) fresh += !(there[i] & 1);
        at += pages * HOST_PAGES_BYTES;
    }

    return fresh;
}

/* The last sources of copies, in turn. */
typedef struct Source {
    uintptr_t address;
    size_t bytes;
    uint64_t moved; /* how much had been copied by then */
    unsigned times;
} Source;
enum { SOURCES = 64, OFTEN = 2 };
static Source sources[SOURCES];
static unsigned next;
static uint64_t moved;

bool host_pages_read(const void *address, size_t bytes, uint64_t within)
{
    Source *source = NULL;
    moved += bytes;
    for (unsigned i = 0; i < SOURCES && !source; i++)
        if (sources[i].address == (uintptr_t)address && sources[i].bytes == bytes)
            source = &sources[i];
    if (!source) {
        source = &sources[next++ % SOURCES];
        *source = (Source){.address = (uintptr_t)address, .bytes = bytes};
    } else if (moved - source->moved > within) {
        source->times = 0;
    }

    source->moved = moved;
    bool often = source->times >= OFTEN;
    if (!often) source->times++;
    return often;
}

void host_pages_written(const void *address, size_t bytes)
{
    uintptr_t at = (uintptr_t)address;
    moved += bytes;
    for (unsigned i = 0; i < SOURCES; i++)
        if (sources[i].address < at + bytes && at < sources[i].address + sources[i].bytes)
            sources[i].times = 0;
}
