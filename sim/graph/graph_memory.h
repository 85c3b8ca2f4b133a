/* graph_memory.h - memory that graphs allocate and free.
 *
 * An allocation has an address from the moment at which its node is made, the same at every launch,
 * for as long as a graph or an executable graph has that node. Memory of the device is behind it
 * while a launch uses it: a launch takes what one before it has done with (in the same stream, or
 * when it is over), else more of the device's; and that is kept for later launches until it is
 * trimmed. Sizes are in bytes.
 */
#ifndef THREELANE_GRAPH_MEMORY_H
#define THREELANE_GRAPH_MEMORY_H
#include "sim/runtime/call.h"
#include "sim/runtime/place.h"
#include "sim/runtime/stream.h"

/* Memory of the device that one launch after the other uses. */
typedef struct GraphBacking GraphBacking;

typedef struct GraphMemory {
    MemoryBlock *block;
    int device;
    uint64_t bytes;
    uint32_t nodes;    /* that allocate or free it */
    uint32_t graph;    /* the one that allocates it, by number */
    uint32_t freed_in; /* the one that frees it; 0: none */
    bool live;         /* launched, and not freed since */
    uint32_t counted;  /* by which launch: see graph_launch.c */
    GraphBacking *backing;
} GraphMemory;

/* NULL when the address space has no room. */
GraphMemory *graph_memory_new(const Call *, int device, uint64_t bytes, uint32_t graph);
GraphMemory *graph_memory_of(const MemoryBlock *); /* NULL: it is no graph's */
void graph_memory_hold(GraphMemory *);
void graph_memory_let_go(GraphMemory *, TraceSite);

/* For a launch in a stream that allocates so much; mine: what the executable graph had the last
 * time, or NULL. NULL when the device has not so much. */
GraphBacking *graph_memory_back(GraphBacking *mine, const Stream *, uint64_t bytes);
/* The launch that has it is this operation. */
void graph_memory_used_by(GraphBacking *, const Stream *, EngineOp);
void graph_memory_allocated(GraphMemory *, GraphBacking *);
void graph_memory_freed(GraphMemory *);

/* Gives back what no launch uses. */
void graph_memory_trim(int device);
typedef struct GraphMemoryUse {
    uint64_t used, used_high, reserved, reserved_high; /* reserved: in whole granules */
} GraphMemoryUse;
GraphMemoryUse *graph_memory_use(int device);
#endif
