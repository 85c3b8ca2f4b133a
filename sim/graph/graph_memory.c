#include "sim/graph/graph_memory.h"
#include "common/devices.h"
#include <stdlib.h>

enum { GRANULE = 32 << 20 };

static GraphMemoryUse use[DEVICES_MOST];

GraphMemoryUse *graph_memory_use(int device) { return &use[device]; }

static uint64_t granules(uint64_t bytes) { return (bytes + GRANULE - 1) / GRANULE * GRANULE; }

/* What memory_alloc takes of the device for it. */
static uint64_t taken(const MemoryBlock *block)
{
    enum { ALIGNMENT = 256 };
    return (block->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

GraphMemory *graph_memory_new(const Call *call, int device, uint64_t bytes, uint32_t graph)
{
    GraphMemory *memory = calloc(1, sizeof *memory);
    MemoryBlock *block =
        memory ? memory_alloc(TRACE_MEM_DEVICE, device, bytes, 0, call->site) : NULL;
    if (!block) {
        free(memory);
        return NULL;
    }
    memory_bare(device, block->address, taken(block), 0); /* an address, and nothing behind it */
    block->by = call->name;
    block->graph = memory;
    block_made(call, block);
    *memory = (GraphMemory){block, device, bytes, 0, graph, 0, false};
    return memory;
}

GraphMemory *graph_memory_of(const MemoryBlock *block) { return block ? block->graph : NULL; }

void graph_memory_hold(GraphMemory *memory) { memory->nodes++; }

void graph_memory_let_go(GraphMemory *memory, TraceSite site)
{
    if (--memory->nodes) return;
    Call call = {.name = "cudaGraphDestroy", .site = site};
    if (memory->live) graph_memory_freed(memory);
    memory->block->graph = NULL;
    if (memory_back(memory->device, taken(memory->block))) block_give_back(&call, memory->block);
    free(memory);
}

bool graph_memory_back(int device, uint64_t bytes)
{
    GraphMemoryUse *u = &use[device];
    uint64_t wanted = granules(u->used + bytes);
    if (wanted <= u->reserved) return true;
    if (!memory_back(device, wanted - u->reserved)) return false;
    u->reserved = wanted;
    if (u->reserved_high < u->reserved) u->reserved_high = u->reserved;
    return true;
}

void graph_memory_allocated(GraphMemory *memory)
{
    GraphMemoryUse *u = &use[memory->device];
    if (!memory->live) u->used += memory->bytes;
    if (u->used_high < u->used) u->used_high = u->used;
    memory->live = true;
    memory->block->leaving = (TraceSite){NULL, 0};
}

void graph_memory_freed(GraphMemory *memory)
{
    if (memory->live) use[memory->device].used -= memory->bytes;
    memory->live = false;
}

void graph_memory_trim(int device)
{
    GraphMemoryUse *u = &use[device];
    uint64_t keep = granules(u->used);
    if (keep < u->reserved) memory_bare(device, 0, u->reserved - keep, 0);
    if (keep < u->reserved) u->reserved = keep;
}
