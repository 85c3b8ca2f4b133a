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
