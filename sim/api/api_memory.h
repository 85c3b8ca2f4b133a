/* api_memory.h - what every call that frees does first. */
#ifndef THREELANE_API_MEMORY_H
#define THREELANE_API_MEMORY_H
#include "sim/api/api.h"

/* The block that the call may free (of one of two kinds), or NULL after a report. */
MemoryBlock *api_block_to_free(const Call *, const void *address, const char *verb,
                               TraceMemory kind, TraceMemory or);
/* The body of that call, for memory in three dimensions. */
cudaError_t do_cudaMallocPitch(Call *, void **devPtr, size_t *pitch, size_t width, size_t height);
#endif
