#include "sim/runtime/misuse.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/hazard/hazard_report.h"
#include "sim/hazard/symbols.h"
#include "sim/host/malloced.h"
#include "sim/runtime/pool.h"
#include "sim/runtime/stream.h"

/* ---- arguments of calls ---- */

void misuse_place(const Call *call, const void *address, size_t bytes, const char *verb)
{
    char why[160], headline[120];
    HazardReport report = {.address = address,
                           .bytes = bytes,
                           .why = why,
                           .headline = headline,
                           .second = {.verb = verb, .site = call->site, .thread = host_thread()}};
    report.kind = hazard_outside((uintptr_t)address, &report, why, sizeof why);
    snprintf(headline, sizeof headline, "%s %s {m}", call->name, verb);
    hazard_report(&report);
}

/* It has been given back in stream order, and CUDA does not take it any more from then on. */
static void report_leaving(const Call *call, const MemoryBlock *block, const void *address,
                           size_t bytes, const char *verb)
{
    char headline[120];
    snprintf(headline, sizeof headline, "%s %s {m}, which was freed before", call->name, verb);
    hazard_report(&(HazardReport){
        .kind = HAZARD_USE_AFTER_FREE,
        .headline = headline,
        .address = address,
        .bytes = bytes,
        .first = {.verb = "frees",
                  .op = block->leaving_op,
                  .stream = block->leaving_stream,
                  .site = block->leaving},
        .second = {.verb = verb, .site = call->site, .thread = host_thread()},
        .why =
            "once cudaFreeAsync has returned, no call may be given the memory any more: this one "
            "fails",
        .fix = "call cudaFreeAsync after {line2}"});
}

void misuse_dead(const Call *call, const void *address, size_t bytes, const char *verb)
{
    const MemoryBlock *block = memory_find_freed(address);
    const MemoryBlock *there = memory_find(address);
    if (there && there->leaving.file) {
        size_t left = there->address + there->bytes - (uintptr_t)address;
        report_leaving(call, there, address, bytes && bytes < left ? bytes : left, verb);
        return;
    }
    size_t room = block ? block->address + block->bytes - (uintptr_t)address : bytes;
    misuse_place(call, address, bytes && bytes < room ? bytes : room, verb);
    if (!block) return;
    if (block->gone.file)
        host_warn(call->site, "%s: this memory (%zu bytes) was freed at %s:%u", call->name,
                  block->bytes, block->gone.file, block->gone.line);
    else host_warn(call->site, "%s: this memory (%zu bytes) was freed", call->name, block->bytes);
}

/* ---- frees that CUDA refuses ---- */

/* What gives the memory back; by_driver: to say it in the words of the driver API. */
static const char *freed_by(const MemoryBlock *block, bool by_driver)
{
    static const char *const words[][TRACE_MEMORIES] = {{[TRACE_MEM_DEVICE] = "cudaFree",
                                                         [TRACE_MEM_MANAGED] = "cudaFree",
                                                         [TRACE_MEM_PINNED] = "cudaFreeHost",
                                                         [TRACE_MEM_REGISTERED] =
                                                             "cudaHostUnregister"},
                                                        {[TRACE_MEM_DEVICE] = "cuMemFree",
                                                         [TRACE_MEM_MANAGED] = "cuMemFree",
                                                         [TRACE_MEM_PINNED] = "cuMemFreeHost",
                                                         [TRACE_MEM_REGISTERED] =
                                                             "cuMemHostUnregister"}};
    if (block->pool) return by_driver ? "cuMemFreeAsync" : "cudaFreeAsync";
    if (block->freed_by) return block->freed_by[by_driver];
    return words[by_driver][block->kind];
}

void misuse_free(const Call *call, const void *address, const char *verb)
{
    const MemoryBlock *block = memory_find(address);
    char headline[160], why[160] = "", fix[160];
    HazardReport report = {.kind = HAZARD_WRONG_MEMORY,
                           .address = address,
                           .headline = headline,
                           .fix = fix,
                           .second = {.verb = verb, .site = call->site, .thread = host_thread()}};
    if (!block && memory_find_freed(address)) {
        misuse_dead(call, address, 0, verb);
        return;
    }
    if (!block || block->variables) {
        snprintf(headline, sizeof headline, "%s %s memory that no CUDA call allocated", call->name,
                 verb);
        snprintf(fix, sizeof fix, "use free() for memory from malloc(); a variable is never freed");
        report.address = NULL;
    } else if (block->leaving.file) {
        report.kind = HAZARD_USE_AFTER_FREE;
        report.bytes = block->bytes;
        snprintf(headline, sizeof headline, "%s %s {m} again", call->name, verb);
        snprintf(fix, sizeof fix, "free it once");
    } else {
        report.bytes = block->address + block->bytes - (uintptr_t)address;
        snprintf(headline, sizeof headline, "%s %s {m}", call->name, verb);
        if (block->address != (uintptr_t)address) {
            snprintf(why, sizeof why, "the address is not the beginning of the block");
            snprintf(fix, sizeof fix, "give %s the address that the allocation returned",
                     freed_by(block, call->flags & CALL_DRIVER));
        } else if (block->graph) {
            snprintf(why, sizeof why, "its graph has not allocated it, or has freed it again");
            snprintf(fix, sizeof fix, "free it once after each launch of a graph that does not");
        } else {
            snprintf(why, sizeof why, "it was made by %s, which %s does not undo",
                     block->by ? block->by : "cudaHostRegister", call->name);
            snprintf(fix, sizeof fix, "use %s for it", freed_by(block, call->flags & CALL_DRIVER));
        }
    }
    if (block && block->leaving.file) {
        report.first =
            (HazardAccess){.verb = "frees", .site = block->leaving, .thread = host_thread()};
        snprintf(why, sizeof why, "{line1} has freed it already");
    }
    report.why = why[0] ? why : NULL;
    hazard_report(&report);
}

/* ---- the host's memory, and the device's ---- */

void misuse_pageable(const Call *call, const char *which, const char *verb)
{
    char headline[160];
    snprintf(headline, sizeof headline,
             "%s wants device memory, but %s is pageable memory of the host", call->name, which);
    hazard_report(
        &(HazardReport){.kind = HAZARD_WRONG_MEMORY,
                        .headline = headline,
                        .second = {.verb = verb, .site = call->site, .thread = host_thread()},
                        .fix = verb[0] == 'c'
                                   ? "look at the order of the pointers and at the kind of the copy"
                                   : "use memset() for memory of the host"});
}

extern const char __data_start[], _end[]; /* by the linker: the program's variables */

/* What the host has at an address. Its bytes are 0 when that is not known. */
static HazardMemory pageable_at(const Call *call, const void *address, int argument)
{
    enum { STACK_MOST = 64 << 20 };
    uintptr_t at = (uintptr_t)address, here = (uintptr_t)__builtin_frame_address(0);
    HazardMemory memory = {.kind = TRACE_MEM_PAGEABLE,
                           .flags = (unsigned)argument,
                           .made = call->site};
    MallocedBlock block;

    if (at >= (uintptr_t)__data_start && at < (uintptr_t)_end) {
        const Variable *variable = symbols_know(at, at + 1) ? symbols_at(at) : NULL;
        if (variable) memory.address = variable->address, memory.bytes = variable->bytes;
    } else if (at - here < STACK_MOST) {
        size_t room = malloced_frame_room(address);
        if (room != SIZE_MAX) memory.address = at, memory.bytes = room, memory.stack = true;
    } else if (malloced_find(address, &block)) {
        memory.address = block.address, memory.bytes = block.bytes;
    }
    return memory;
}

size_t misuse_small(const Call *call, const void *address, size_t bytes, const char *verb,
                    int argument)
{
    uintptr_t at = (uintptr_t)address;
    if (bytes <= sizeof(void *) && at - (uintptr_t)__builtin_frame_address(0) < INT32_MAX)
        return SIZE_MAX; /* a number on the stack */
    HazardMemory memory = pageable_at(call, address, argument);
    size_t room = memory.bytes ? memory.address + memory.bytes - at : SIZE_MAX;
    if (room >= bytes) return SIZE_MAX;

    char headline[120], why[200];
    snprintf(headline, sizeof headline, "%s %s {m}, past the end of it", call->name, verb);
    snprintf(why, sizeof why,
             memory.stack
                 ? "%zu bytes are asked for, and the function that has this variable has no more "
                   "than %zu on its stack from there"
                 : "%zu bytes are asked for, and there are %zu from there to the end",
             bytes, room);
    hazard_report(
        &(HazardReport){.kind = HAZARD_OUT_OF_BOUNDS,
                        .headline = headline,
                        .address = (const void *)(at + room),
                        .bytes = bytes - room,
                        .memory = memory,
                        .why = why,
                        .second = {.verb = verb, .site = call->site, .thread = host_thread()},
                        .fix = "copy as many bytes as both sides have, or make this one larger"});
    return room;
}

/* A copy names another direction than the one its pointers have. With unified addressing it works
 * all the same; it is undefined all the same. Only what is certainly on the device is told: the
 * host's end may be mapped there. */
void misuse_report_direction(const Call *call, enum cudaMemcpyKind kind, bool wrong_from,
                             TraceMemory to, TraceMemory from)
{
    /* by direction: what the runtime's calls say, and which the driver's call of it is */
    static const char *const words[][4] = {{"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                            "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"},
                                           {"cuMemcpy", "cuMemcpyHtoD", "cuMemcpyDtoH",
                                            "cuMemcpyDtoD"}};
    bool driver = call->flags & CALL_DRIVER;
    enum cudaMemcpyKind right = from != TRACE_MEM_DEVICE ? cudaMemcpyHostToDevice
                                : to == TRACE_MEM_DEVICE ? cudaMemcpyDeviceToDevice
                                                         : cudaMemcpyDeviceToHost;
    char headline[200], fix[100];
    snprintf(headline, sizeof headline,
             "%s%s%s%s, but its %s is device memory; it works here, and nothing promises that",
             call->name, driver ? " copies " : " says ", driver ? "" : words[0][kind],
             !driver      ? ""
             : wrong_from ? "from the host"
                          : "to the host",
             wrong_from ? "source" : "target");
    snprintf(fix, sizeof fix, "%s %s", driver ? "call" : "say", words[driver][right]);
    hazard_report(
        &(HazardReport){.kind = HAZARD_WRONG_MEMORY,
                        .headline = headline,
                        .second = {.verb = "copies", .site = call->site, .thread = host_thread()},
                        .fix = fix});
}

/* Host code touches what it must not. */
static void report_host_misuse(const MemoryBlock *block, bool freed, const void *address,
                               size_t bytes, bool write, const void *pc, TraceMemory *meant)
{
    char why[160];
    uintptr_t at = (uintptr_t)address, bad = at;
    while (bad < at + bytes && memory_find((void *)bad)) bad++;
    if (block && !freed && at - memory_base < memory_device_span) bad = at;
    HazardReport report = {.kind = HAZARD_WRONG_MEMORY,
                           .address = (void *)bad,
                           .bytes = at + bytes - bad,
                           .why = why,
                           .second = {.verb = write ? "writes" : "reads",
                                      .thread = host_thread(),
                                      .pc = pc}};
    if (bad == at && block && !freed) {
        snprintf(why, sizeof why, "the host cannot reach device memory");
        report.fix = write ? "fill host memory and copy it there" : "copy it to the host first";
    } else {
        report.kind = hazard_outside(bad, &report, why, sizeof why);
    }
    *meant = report.memory.kind;
    hazard_report(&report);
}

void misuse_by_host(const void *address, size_t bytes, bool write, const void *pc)
{
    HostPosition at;
    char what[256] = "";
    const MemoryBlock *block = memory_find(address);
    bool freed = false;
    if (!block) {
        block = memory_find_freed(address);
        freed = block != NULL;
    }
    TraceSite site = {NULL, 0};
    if (host_position(pc, &at)) site = (TraceSite){at.file, at.line};
    if (block) {
        const char *by = block->by ? block->by : "cudaHostRegister";
        const char *file = block->made.file ? block->made.file : "an unknown place";
        int n = snprintf(what, sizeof what, " (%zu bytes from %s at %s:%u", block->bytes, by, file,
                         block->made.line);
        if (freed && block->gone.file && n < (int)sizeof what)
            n += snprintf(what + n, sizeof what - (size_t)n, ", freed at %s:%u", block->gone.file,
                          block->gone.line);
        if (n < (int)sizeof what) snprintf(what + n, sizeof what - (size_t)n, ")");
    }
    const char *verb = write ? "writes" : "reads";
    TraceMemory meant;
    report_host_misuse(block, freed, address, bytes, write, pc, &meant);
    bool on_device = (uintptr_t)address - memory_base < memory_device_span;
    if (!on_device || (!block && meant != TRACE_MEM_DEVICE && meant != TRACE_MEM_NONE))
        return; /* it happens, or crashes */
    if (freed) host_fatal(HOST_STATUS_MISUSE, site, "host code %s freed memory%s", verb, what);
    if (block)
        host_fatal(HOST_STATUS_MISUSE, site, "host code %s device memory%s: %s", verb, what,
                   write ? "fill host memory and copy it there" : "copy it to the host first");
    host_fatal(HOST_STATUS_MISUSE, site,
               "host code %s device memory at %p, where nothing is allocated", verb, address);
}

/* ---- what is never given back ---- */

static void report_block(const MemoryBlock *block, void *unused)
{
    char fix[80];
    (void)unused;
    if (block->leaving.file || block->variables || block->heap) return;
    snprintf(fix, sizeof fix, "call %s when it is not needed any more",
             freed_by(block, block->by_driver));
    hazard_report(&(HazardReport){.kind = HAZARD_LEAK,
                                  .second = {.verb = "allocates", .site = block->made, .thread = 1},
                                  .address = (const void *)block->address,
                                  .bytes = block->bytes,
                                  .fix = fix,
                                  .headline = block->kind == TRACE_MEM_REGISTERED
                                                  ? "{m} is never unregistered"
                                                  : "{m} is never freed"});
}

static void report_streams(void)
{
    char headline[64];
    for (uint32_t i = 1; i < handle_end(HANDLE_STREAM); i++) {
        const Stream *stream = handle_at(HANDLE_STREAM, i);
        if (!stream || (stream->flavour != TRACE_STREAM_BLOCKING &&
                        stream->flavour != TRACE_STREAM_NONBLOCKING))
            continue;
        snprintf(headline, sizeof headline, "{stream %u} is never destroyed", i);
        hazard_report(&(
            HazardReport){.kind = HAZARD_LEAK,
                          .second = {.verb = "creates a stream", .site = stream->made, .thread = 1},
                          .headline = headline,
                          .fix = "call cudaStreamDestroy when it is not needed any more"});
    }
}

static void report_events(void)
{
    for (uint32_t i = 1; i < handle_end(HANDLE_EVENT); i++) {
        const Event *event = handle_at(HANDLE_EVENT, i);
        if (!event) continue;
        hazard_report(&(
            HazardReport){.kind = HAZARD_LEAK,
                          .second = {.verb = "creates an event", .site = event->made, .thread = 1},
                          .headline = "an event is never destroyed",
                          .fix = "call cudaEventDestroy when it is not needed any more"});
    }
}

static void report_pool(const Pool *pool)
{
    hazard_report(
        &(HazardReport){.kind = HAZARD_LEAK,
                        .second = {.verb = "creates a pool", .site = pool->made, .thread = 1},
                        .headline = "a memory pool is never destroyed",
                        .fix = "call cudaMemPoolDestroy when it is not needed any more"});
}

void misuse_report_leaks(void)
{
    if (!hazard_wanted(HAZARD_LEAK) || runtime.fault) return;
    memory_each(report_block, NULL);
    pool_each_own(report_pool);
    report_streams();
    report_events();
}
