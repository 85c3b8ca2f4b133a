/* graph_memory.h - memory that graphs allocate and free.
 *
 * An allocation has an address of its own from the moment at which its node is made, the same at
 * every launch, for as long as a graph or an executable graph has that node. It has memory of the
 * device behind it while a launch uses it: what graphs need at once is taken from the device in
 * whole granules, and kept for later launches until it is trimmed. Sizes are in bytes.
 */
#ifndef THREELANE_GRAPH_MEMORY_H
#define THREELANE_GRAPH_MEMORY_H
#include "sim/runtime/call.h"
#include "sim/runtime/place.h"

typedef struct GraphMemory {
    MemoryBlock *block;
    int device;
    uint64_t bytes;
    uint32_t nodes;    /* that allocate or free it */
    uint32_t graph;    /* the one that allocates it, by number */
    uint32_t freed_in; /* the one that frees it; 0: none */
    bool live;         /* launched, and not freed since */
} GraphMemory;

/* NULL when the address space has no room. */
GraphMemory *graph_memory_new(const Call *, int device, uint64_t bytes, uint32_t graph);
GraphMemory *graph_memory_of(const MemoryBlock *); /* NULL: it is no graph's */
void graph_memory_hold(GraphMemory *);
void graph_memory_let_go(GraphMemory *, TraceSite);

/* A launch that allocates so much more than is live: false when the device has not so much. */
bool graph_memory_back(int device, uint64_t bytes);
void graph_memory_allocated(GraphMemory *);
void graph_memory_freed(GraphMemory *);

/* Gives back what no launch uses. */
void graph_memory_trim(int device);
typedef struct GraphMemoryUse {
    uint64_t used, used_high, reserved, reserved_high;
} GraphMemoryUse;
GraphMemoryUse *graph_memory_use(int device);
#endif
