/* memory.h - the address space of the virtual machine.
 *
 * One reserved arena at a fixed address (so that runs are byte-identical) holds all device, pinned
 * and managed memory; registered host memory lies where the program put it. Every allocation is
 * known by address range, which is how CUDA calls tell a device pointer from a host pointer and how
 * wrong uses are named. All functions are called with the baton held (host.h); nothing here is
 * thread-safe by itself.
 */
#ifndef THREELANE_MEMORY_H
#define THREELANE_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/memory/written.h"
#include "timeline/trace/trace.h"

typedef struct MemoryBlock {
    uintptr_t address;
    size_t bytes;        /* bytes asked for */
    TraceMemory kind;    /* device, pinned, managed, registered */
    int device;          /* owner (device memory), else -1 */
    unsigned flags;      /* as given to cudaHostAlloc / cudaHostRegister */
    uint32_t id;         /* allocation id in the trace, 1.. */
    bool freed;          /* kept for a while so that late uses can be named */
    bool pool;           /* from stream-ordered allocation */
    bool variables;      /* the program's own (variables.h): never given back */
    struct Piece *piece; /* of a pool: where it lies (pieces.h) until the program gives it back */
    uint32_t made_op;    /* of a pool: the operation that brings it into being */
    bool heap;           /* a device's, for malloc in kernels: the program cannot free it */
    const char *by;      /* the call that allocated it; NULL: what is usual for the kind */
    bool by_driver;      /* one of the driver API */
    const char *const *freed_by; /* the calls that give it back, the runtime's and the driver's;
                                    NULL: usual ones */
    TraceSite made, gone;
    unsigned trail;    /* who allocated it, for reports (hazard/origin.h); 0: nobody asks */
    TraceSite leaving; /* a free in stream order was asked for here (file NULL: none) */
    uint32_t leaving_op, leaving_stream; /* which operation of the trace that is */
    struct GraphMemory *graph; /* the graph's (sim/graph/graph_memory.h) whose it is; NULL: none */
    Written *written;          /* device memory: which bytes; NULL: nobody asks, or all of them */
} MemoryBlock;

/* The arena: [memory_base, memory_base + memory_span). Constant after memory_init. Device memory
 * has the lower part [memory_base, memory_base + memory_device_span), so one compare tells it from
 * pinned and managed memory. */
extern uintptr_t memory_base, memory_span, memory_device_span;

/* Reserves the arena. device_bytes: memory of one device. 0, or -1 when the address space cannot be
 * had. */
int memory_init(int devices, uint64_t device_bytes);

/* Keep account of what is written in device memory that is allocated from now on? */
extern bool memory_watch_written;

/* Allocates; NULL when it does not fit. Alignment 256 (device), 4096 (pinned, managed). Contents of
 * device memory are a fixed pattern (0xA5), pinned and managed memory is zero. zero bytes: NULL. */
MemoryBlock *memory_alloc(TraceMemory kind, int device, size_t bytes, unsigned flags, TraceSite);
/* ---- memory for pools (sim/pool): reserved in chunks, given out in parts, again and again ---- */

/* Reserves addresses of a device, `span` of them (whole pages), for blocks of `bytes` in all, which
 * the device has less from then on. 0 when there is no room. Contents are the pattern. */
uintptr_t memory_reserve(int device, uint64_t bytes, uint64_t span);
/* So much more, right behind. False when there is no room, or somebody has these addresses. */
bool memory_extend(int device, uintptr_t address, uint64_t span, uint64_t bytes, uint64_t more);
/* The device has `bytes` more again: the memory behind these addresses, which stay reserved. */
void memory_bare(int device, uintptr_t address, uint64_t bytes, uint64_t span);
/* There is memory behind them once more. False when the device has none. */
bool memory_back(int device, uint64_t bytes);
/* Gives the addresses back, and the `bytes` that are still behind them. No block lies there that
 * has not been released. */
void memory_unreserve(int device, uintptr_t address, uint64_t bytes, uint64_t span);
/* A block in reserved memory, over what the program has given back (in stream order perhaps: the
 * device may still use it), never over what it holds. Its bytes keep what was there, and count as
 * never written. NULL when memory is short. */
MemoryBlock *memory_place(int device, uintptr_t address, size_t bytes, TraceSite);
/* The operation of the trace that brings it into being; told before anything else happens. */
void memory_made_by(MemoryBlock *, uint32_t op);
/* Whose memory is meant by an address of a pool depends on who asks: an operation means what the
 * program held when it was issued. From here on memory_find and the others answer for this one; 0:
 * for a call that is made now. */
void memory_view(uint32_t op);
/* What lay below others is forgotten, as far as no operation from this one on can mean it. */
void memory_forget_older(uint32_t op);
/* The block that was placed last at this address, released or not; where no pool has placed one,
 * the one that is there, or was there last. NULL: none. */
MemoryBlock *memory_newest(const void *address);
/* Is told of each block that one is about to be placed over. NULL: nobody is. */
extern void (*memory_overlaid)(const MemoryBlock *);

/* Host memory where the program put it. NULL when it overlaps a block or the arena. */
MemoryBlock *memory_register(void *address, size_t bytes, unsigned flags, TraceSite);
/* Frees or unregisters. The block struct stays readable until its range is used again. */
void memory_release(MemoryBlock *, TraceSite);

/* The live block that contains address, or NULL. */
MemoryBlock *memory_find(const void *address);
/* The most recent freed block that contained address, or NULL; for messages. */
MemoryBlock *memory_find_freed(const void *address);
/* Device memory has been written: bytes of one block. Nothing happens for other memory. */
void memory_written(const void *address, size_t bytes);
/* Does one live block contain all of it? Fast for addresses near those asked for lately. */
bool memory_holds(const void *address, size_t bytes);
/* The live block with the highest start at or below address, or NULL; for messages ("12 bytes past
 * the end of"). */
MemoryBlock *memory_find_below(const void *address);

/* The live block with the lowest start above address, or NULL. */
MemoryBlock *memory_find_above(const void *address);

uint64_t memory_free_bytes(int device);
uint64_t memory_total_bytes(int device);
/* Calls visit for every live block in order of address, those of pools after the others. */
void memory_each(void (*visit)(const MemoryBlock *, void *), void *arg);
/* Calls visit for every stretch of device memory that is accessible whether blocks lie there or
 * not: that of small ones. */
void memory_each_open(void (*visit)(uintptr_t begin, uintptr_t end, void *), void *arg);
#endif
