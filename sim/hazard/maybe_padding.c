#include "sim/hazard/maybe_padding.h"
#include "sim/hazard/hazard.h"
#include "sim/hazard/hazard_report.h"
#include <stdio.h>
#include <string.h>

enum { MOST = 1024 };
static MaybePadding list[MOST];
uint32_t doubts;

static void drop(uint32_t i) { list[i] = list[--doubts]; }

void maybe_padding_add(const MaybePadding *d)
{
    if (doubts == MOST) drop(0);
    list[doubts++] = *d;
    /* host code's accesses in these pages are looked at from now on */
    for (uintptr_t page = d->host / BYTES_PAGE; page <= (d->host + d->bytes - 1) / BYTES_PAGE;
         page++)
        hazard_filter[page % HAZARD_FILTER] = 1;
}

void maybe_padding_clear(uintptr_t host, size_t bytes)
{
    for (uint32_t i = doubts; i-- > 0;)
        if (list[i].host < host + bytes && list[i].host + list[i].bytes > host) drop(i);
}

void maybe_padding_access(uintptr_t address, size_t bytes, bool write, const void *pc)
{
    (void)pc;
    if (write) {
        maybe_padding_clear(address, bytes);
        return;
    }
    if (bytes > 16) return; /* a struct, copied on with its gaps */
    for (uint32_t i = 0; i < doubts; i++) {
        const MaybePadding *d = &list[i];
        if (address < d->host || address + bytes > d->host + d->bytes) continue;
        char why[160];
        snprintf(why, sizeof why,
                 "nothing has been written there since it was allocated; host code reads the copy");
        hazard_report(&(HazardReport){.kind = HAZARD_UNINITIALISED,
                                      .address = (const void *)d->device,
                                      .bytes = d->bytes,
                                      .why = why,
                                      .fix = "write these bytes before {line2}, or do not use them",
                                      .second = {.verb = "reads",
                                                 .op = d->op,
                                                 .stream = d->stream,
                                                 .site = d->site}});
        drop(i);
        return;
    }
}
