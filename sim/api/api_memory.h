/* api_memory.h - what every call that frees does first. */
#ifndef THREELANE_API_MEMORY_H
#define THREELANE_API_MEMORY_H
#include "sim/api/api.h"

/* The block that the call may free (of one of two kinds), or NULL after a report. */
MemoryBlock *api_block_to_free(const Call *, const void *address, const char *verb,
                               TraceMemory kind, TraceMemory or);
#endif
