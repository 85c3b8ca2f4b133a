/* misuse.h - what is reported of wrong pointers, and of what is never given back: errors of the
 * program that CUDA leaves undefined, refuses without a word, or does not notice. */
#ifndef THREELANE_MISUSE_H
#define THREELANE_MISUSE_H
#include "sim/memory/memory.h"
#include "sim/runtime/call.h"

/* A call was to touch bytes where nothing is allocated (any more); CUDA refuses it. verb: "reads",
 * "writes", "frees". */
void misuse_place(const Call *, const void *address, size_t bytes, const char *verb);
/* The same, with a warning when they were freed. */
void misuse_dead(const Call *, const void *address, size_t bytes, const char *verb);
/* A copy or set takes memory of the host for device memory. which: "its target"; verb: "copies",
 * "sets". */
void misuse_pageable(const Call *, const char *which, const char *verb);
/* A copy takes so many bytes of pageable memory, which is argument number `argument`: reports it if
 * the block, variable or stack frame has fewer there. Tells how many it has; SIZE_MAX: enough, or
 * not known. verb: "reads", "writes". */
size_t misuse_small(const Call *, const void *address, size_t bytes, const char *verb,
                    int argument);
/* A copy says another direction than the one its pointers have, which are to and from that kind of
 * memory. */
void misuse_report_direction(const Call *, enum cudaMemcpyKind, bool wrong_from, TraceMemory to,
                             TraceMemory from);
static inline void misuse_direction(const Call *call, enum cudaMemcpyKind kind, TraceMemory to,
                                    TraceMemory from)
{
    bool host_from = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
    bool host_to = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
    bool wrong_from = host_from && from == TRACE_MEM_DEVICE;
    if (__builtin_expect(wrong_from || (host_to && to == TRACE_MEM_DEVICE), 0))
        misuse_report_direction(call, kind, wrong_from, to, from);
}
/* The address is not that of a block which this call may free. verb: "frees", "unregisters". */
void misuse_free(const Call *, const void *address, const char *verb);
/* Host code touches device memory, or memory that is freed (exec_on_host_misuse). */
void misuse_by_host(const void *address, size_t bytes, bool write, const void *pc);
/* The program ends well, and this is still there. */
void misuse_report_leaks(void);
#endif
