/* found.c - what the executor reports as hazards (sim/hazard/report.h): bad accesses and barriers.
 *
 * The line of such a report is that of the access or barrier in the kernel; why: names the launch and the thread.
 */
#include <stdio.h>
#include <string.h>
#include "sim/exec/inside.h"
#include "sim/hazard/report.h"
#include "sim/memory/memory.h"

enum { NULL_PAGES = 65536 };

static const char *base_name(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash ? slash + 1 : file;
}

static void launched(char *text, size_t size, const char *more)
{
    const ExecLaunch *launch = &exec_run->launch;
    if (launch->site.file)
        snprintf(text, size, "%s of the launch at %s:%u%s", exec_where(), base_name(launch->site.file),
                 launch->site.line, more);
    else snprintf(text, size, "%s%s", exec_where(), more);
}

void found_bad_access(uintptr_t address, size_t bytes, uintptr_t bad, bool write, const void *pc)
{
    char text[160], why[400], headline[300];
    const ExecLaunch *launch = &exec_run->launch;
    HazardReport report = {.address = (const void *)bad, .bytes = address + bytes > bad ? address + bytes - bad : 1,
                           .second = {.verb = write ? "writes" : "reads", .op = launch->op, .stream = launch->stream,
                                      .pc = pc}};
    report.kind = hazard_outside(bad, &report, text, sizeof text);
    if (report.kind == HAZARD_WRONG_MEMORY) {
        snprintf(headline, sizeof headline, "{2} %s %s", report.second.verb, text);
        report.headline = headline;
        report.fix = bad < NULL_PAGES ? "check that the pointer was allocated, and that the allocation worked"
                   : "copy the data to device memory, or allocate it with cudaMallocHost or cudaMallocManaged";
        launched(why, sizeof why, "");
    } else {
        char more[200];
        snprintf(more, sizeof more, "; %s", text);
        launched(why, sizeof why, more);
    }
    report.why = why;
    hazard_report(&report);
}

/* ---- bytes that nothing has written ---- */

typedef struct Fresh {
    const void *pc;
    uintptr_t block, first, last;
    size_t count;
    char where[160];
} Fresh;
enum { FRESH = 32, STRUCT_GAPS = 16 };
static Fresh fresh[FRESH];
static unsigned n_fresh;

void found_fresh(uintptr_t address, size_t bytes, const void *pc)
{
    FootprintFresh found = footprint_fresh;
    footprint_fresh.count = 0;
    /* a struct is copied with its padding */
    if (found.count < bytes && (bytes <= 16 || found.count < STRUCT_GAPS)) return;
    footprint_told(&found);
    const MemoryBlock *block = memory_find((const void *)address);
    uintptr_t begin = block ? block->address : 0;
    for (unsigned i = 0; i < n_fresh; i++) {
        Fresh *f = &fresh[i];
        if (f->pc != pc || f->block != begin) continue;
        if (found.first < f->first) f->first = found.first;
        if (found.last > f->last) f->last = found.last;
        f->count += found.count;
        return;
    }
    if (n_fresh == FRESH) found_end();
    Fresh *f = &fresh[n_fresh++];
    *f = (Fresh){.pc = pc, .block = begin, .first = found.first, .last = found.last, .count = found.count};
    launched(f->where, sizeof f->where, "");
}

void found_end(void)
{
    char why[300];
    const ExecLaunch *launch = &exec_run->launch;
    for (unsigned i = 0; i < n_fresh; i++) {
        const Fresh *f = &fresh[i];
        snprintf(why, sizeof why, "nothing has been written there since it was allocated; first read by %s", f->where);
        hazard_report(&(HazardReport){
            .kind = HAZARD_UNINITIALISED, .address = (const void *)f->first, .bytes = f->last - f->first + 1,
            .touched = f->count, .why = why, .fix = "copy data there, or set it, before the launch",
            .second = {.verb = "reads", .op = launch->op, .stream = launch->stream, .pc = f->pc}});
    }
    n_fresh = 0;
}

void found_barrier(const char *file, int line, const char *other_file, int other_line, const char *text)
{
    char why[300], headline[400], launch_at[200] = "";
    const ExecLaunch *launch = &exec_run->launch;
    HazardReport report = {.kind = HAZARD_BARRIER, .headline = headline, .why = why,
                           .fix = "let all threads pass the same barrier: move it out of the branch"};
    report.second = (HazardAccess){.verb = "waits", .op = launch->op, .stream = launch->stream,
                                   .site = {file, line > 0 ? (uint32_t)line : 0}};
    if (other_file) {
        report.first = report.second;
        report.second.site = (TraceSite){other_file, other_line > 0 ? (uint32_t)other_line : 0};
    }
    if (launch->site.file)
        snprintf(launch_at, sizeof launch_at, "; launched at %s:%u", base_name(launch->site.file), launch->site.line);
    snprintf(headline, sizeof headline, "{2}: %s", text);
    snprintf(why, sizeof why, "a barrier waits for all threads of the block, a warp primitive for all lanes of its "
             "mask%s", launch_at);
    hazard_report(&report);
}
