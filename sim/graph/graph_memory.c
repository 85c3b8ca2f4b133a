#include "sim/graph/graph_memory.h"
#include "common/devices.h"
#include <stdlib.h>

enum { GRANULE = 32 << 20, PIECE = GRANULE }; /* as measured: the least that is used is a granule */

struct GraphBacking {
    int device;
    uint64_t bytes;
    uint32_t stream; /* of its latest launch */
    EngineOp op;     /* that launch */
    uint32_t live;   /* allocations that are not freed yet */
    GraphBacking *next;
};
static GraphBacking *backings;

static GraphMemoryUse use[DEVICES_MOST];

GraphMemoryUse *graph_memory_use(int device) { return &use[device]; }

static uint64_t whole(uint64_t bytes, uint64_t of) { return (bytes + of - 1) / of * of; }

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
    call_allocated(call, block);
    block->graph = memory;
    block_made(call, block);
    *memory = (GraphMemory){.block = block, .device = device, .bytes = bytes, .graph = graph};
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

/* The device gives so much more, or less. */
static bool change(int device, uint64_t used)
{
    GraphMemoryUse *u = &use[device];
    uint64_t reserved = whole(used, GRANULE);
    if (reserved > u->reserved && !memory_back(device, reserved - u->reserved)) return false;
    if (reserved < u->reserved) memory_bare(device, 0, u->reserved - reserved, 0);
    u->used = used;
    u->reserved = reserved;
    if (u->used_high < u->used) u->used_high = u->used;
    if (u->reserved_high < u->reserved) u->reserved_high = u->reserved;
    return true;
}

/* What was launched with it is over, or comes before what this stream gets now. */
static bool is_free(const GraphBacking *b, const Stream *stream)
{
    return !b->live && (b->stream == stream->id || engine_op_ended(runtime.engine, b->op));
}

GraphBacking *graph_memory_back(GraphBacking *mine, const Stream *stream, uint64_t bytes)
{
    bytes = whole(bytes, PIECE);
    for (GraphBacking *b = backings; b; b = b->next) /* it may have been trimmed away */
        if (b == mine && !b->live && b->bytes >= bytes && b->device == stream->device) return b;
    for (GraphBacking *b = backings; b; b = b->next)
        if (b->device == stream->device && b->bytes >= bytes && is_free(b, stream)) return b;

    GraphBacking *b = calloc(1, sizeof *b);
    if (!b || !change(stream->device, use[stream->device].used + bytes)) {
        free(b);
        return NULL;
    }
    *b = (GraphBacking){.device = stream->device, .bytes = bytes, .next = backings};
    return backings = b;
}

void graph_memory_used_by(GraphBacking *backing, const Stream *stream, EngineOp op)
{
    backing->stream = stream->id;
    backing->op = op;
}

void graph_memory_allocated(GraphMemory *memory, GraphBacking *backing)
{
    if (memory->live) return;
    memory->live = true;
    memory->backing = backing;
    if (backing) backing->live++;
    memory->block->leaving = (TraceSite){NULL, 0};
}

void graph_memory_freed(GraphMemory *memory)
{
    if (memory->live && memory->backing) memory->backing->live--;
    memory->live = false;
    memory->backing = NULL;
}

void graph_memory_trim(int device)
{
    for (GraphBacking **link = &backings, *b; (b = *link);) {
        if (b->device != device || b->live || !engine_op_ended(runtime.engine, b->op)) {
            link = &b->next;
            continue;
        }
        *link = b->next;
        change(device, use[device].used - b->bytes);
        free(b);
    }
}
