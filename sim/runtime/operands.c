/* operands.c - is what an operation is about to read and write still there, and was it ever
 * written?
 *
 * Asked when the effect happens: memory may have gone since the call (cudaFreeAsync), and what is
 * written before it is read counts at that moment.
 */
#include "sim/hazard/maybe_padding.h"
#include "sim/hazard/hazard_report.h"
#include "sim/runtime/work.h"
#include <stdio.h>

static size_t extent(size_t pitch, size_t width, size_t height)
{
    return height > 1 ? pitch * (height - 1) + width : width;
}

bool operands_exist(const Work *work, const void *at, size_t pitch, size_t width, size_t height,
                    const char *verb)
{
    size_t bytes = extent(pitch, width, height);
    if ((uintptr_t)at - memory_base >= memory_span || memory_holds(at, bytes)) return true;
    char why[240];
    HazardReport report =
        {.address = at,
         .bytes = bytes,
         .why = why,
         .second = {.verb = verb, .op = work->op, .stream = work->stream, .site = work->site}};
    report.kind = hazard_outside((uintptr_t)at, &report, why, sizeof why);
    hazard_report(&report);
    return false;
}

/* ---- what was never written ---- */

enum { PADDING_MOST = 15 };

/* Could it be the gap before the next member of a struct, or at its end? */
static bool like_padding(uintptr_t begin, uintptr_t from, uintptr_t to)
{
    uintptr_t end = to - begin, alignment = end & -end;
    return to - from <= PADDING_MOST && to - from < (alignment < 16 ? alignment : 16);
}

typedef struct Unwritten {
    uintptr_t first, last;
    size_t count;
} Unwritten;

static void look_row(const Work *work, const MemoryBlock *block, uintptr_t from, size_t width,
                     uintptr_t to, Unwritten *sum)
{
    uintptr_t at = from, end = from + width, gap, gap_end;
    while (at < end && written_gap(block->written, at, end, &gap, &gap_end)) {
        at = gap_end;
        if (like_padding(block->address, gap, gap_end) && gap_end - gap < width) {
            maybe_padding_add(&(MaybePadding){.host = to + (gap - from),
                                              .device = gap,
                                              .bytes = gap_end - gap,
                                              .op = work->op,
                                              .stream = work->stream,
                                              .site = work->site});
            continue;
        }
        if (!sum->count) sum->first = gap;
        sum->last = gap_end - 1;
        sum->count += gap_end - gap;
    }
}

void operands_read(const Work *work)
{
    uintptr_t from = (uintptr_t)work->effect.copy.from, to = (uintptr_t)work->effect.copy.to;
    size_t width = work->effect.copy.width, height = work->effect.copy.height;
    bool from_device = from - memory_base < memory_device_span,
         to_device = to - memory_base < memory_device_span;
    if (doubts && !to_device)
        maybe_padding_clear(to, extent(work->effect.copy.to_pitch, width, height));
    const MemoryBlock *block = from_device ? memory_find((const void *)from) : NULL;
    if (!block || !block->written || to_device) return;
    Unwritten sum = {0};
    for (size_t row = 0; row < height; row++)
        look_row(work, block, from + row * work->effect.copy.from_pitch, width,
                 to + row * work->effect.copy.to_pitch, &sum);
    if (!sum.count) return;
    hazard_report(&(HazardReport){.kind = HAZARD_UNINITIALISED,
                                  .address = (const void *)sum.first,
                                  .bytes = sum.last - sum.first + 1,
                                  .touched = sum.count,
                                  .why = "nothing has been written there since it was allocated",
                                  .fix = "write it before {line2}, with a copy, a set or a kernel "
                                         "that is ordered before, or copy less",
                                  .second = {.verb = "reads",
                                             .op = work->op,
                                             .stream = work->stream,
                                             .site = work->site}});
}

void operands_wrote(const Work *work)
{
    if (work->effect.kind == EFFECT_SET) {
        for (size_t row = 0; row < work->effect.set.height; row++)
            memory_written(work->effect.set.to + row * work->effect.set.pitch,
                           work->effect.set.width);
        return;
    }
    uintptr_t from = (uintptr_t)work->effect.copy.from;
    const MemoryBlock *source =
        from - memory_base < memory_device_span ? memory_find(work->effect.copy.from) : NULL;
    for (size_t row = 0; row < work->effect.copy.height; row++) {
        char *to = work->effect.copy.to + row * work->effect.copy.to_pitch;
        if (!source || !source->written) {
            memory_written(to, work->effect.copy.width);
            continue;
        }
        MemoryBlock *target =
            (uintptr_t)to - memory_base < memory_device_span ? memory_find(to) : NULL;
        if (target && target->written)
            written_copy(target->written, (uintptr_t)to, source->written,
                         from + row * work->effect.copy.from_pitch, work->effect.copy.width);
    }
}
