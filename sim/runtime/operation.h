/* operation.h - an operation as a value: what it is, what it uses, what it does, and where it was
 * asked for.
 *
 * An API function checks its arguments, describes what is to happen as an Operation and gives it to
 * operation_submit: the one place that hands work to the engine, keeps what is to be done when the
 * engine says so, and tells the observers (the trace, the checker). Nothing that depends on the
 * moment of the call is in the value, so that it can be kept and submitted again, as often as
 * wanted: kept operations and what orders them are what a CUDA graph is (sim/graph).
 *
 * Ownership: of an operation that is not kept, submitting takes the kernel. A kept one owns what it
 * needs (a kernel shares its closure, the arguments, with its runs), and stays as it is; strings
 * are static, and memory that it reads and writes is the program's.
 */
#ifndef THREELANE_OPERATION_H
#define THREELANE_OPERATION_H
#include "sim/runtime/call.h"
#include "sim/runtime/place.h"
#include "sim/runtime/stream.h"
#include "sim/runtime/work.h"

/* Bytes that it reads or writes, for the trace. */
typedef struct OperationUse {
    bool write;
    uint32_t alloc;
    uint64_t offset, bytes;
} OperationUse;

/* What a launch asks for besides its shape (cudaLaunchAttribute); {0}: nothing. */
typedef struct LaunchAttributes {
    TraceDim cluster, preferred_cluster; /* in blocks; x 0: none */
    bool cooperative;    /* all its blocks are there at once, or it does not start */
    bool overlaps;       /* it may start before the kernel before it in its stream has ended
                            (programmatic stream serialization) */
    bool own_priority;   /* priority is the launch's, instead of the stream's */
    bool at_block_start; /* every block triggers programmatic_event as it begins */
    int priority;
    cudaEvent_t programmatic_event, completion_event; /* NULL: none */
} LaunchAttributes;

struct Operation {
    TraceOpKind kind;
    TraceMemory from, to;
    uint64_t bytes;
    uint32_t event;   /* records and waits */
    const char *name; /* of a graph that is a node: what it is; else NULL */
    TraceSite site;   /* of the call that asked for it; of a node: that made it */
    bool captured;    /* ... by a capture */

    uint64_t work_ns; /* see EngineSubmit */
    uint32_t blocks, blocks_per_sm, together, groups_at_once;
    bool in_pieces;
    bool timed;                      /* records: of an event that takes the time */
    uint32_t copies_from, copies_to; /* between devices: see EngineSubmit */
    LaunchAttributes launch;         /* kernels */
    EngineOp graph; /* a node of a launch: the number of that (see EngineSubmit); 0: none */
    int device;     /* of a node: on which it runs, from 1; 0: its stream's */
    /* of a node (these lists are the caller's, for the call of operation_submit): */
    const EngineOp *early;  /* kernels whose trigger it waits for, instead of their end */
    int n_early, n_begun;   /* see EngineSubmit */
    const EngineOp *direct; /* what its cudaGridDependencySynchronize() waits for; then what the
                               device has completed when it has completed those, ... */
    int n_direct, n_behind; /* ... which is not promised */
    bool serial;            /* the device lets it wait for the ends of those all the same */

    bool kept;
    uint8_t n_uses;
    OperationUse uses[2];
    Effect effect;
};

static inline OperationUse operation_use(bool write, const Place *place, uint64_t bytes)
{
    return (OperationUse){write, place->alloc, place->offset, bytes};
}
static inline void operation_uses(Operation *operation, bool write, const Place *place,
                                  uint64_t bytes)
{
    operation->uses[operation->n_uses++] = operation_use(write, place, bytes);
}

/* Puts it into the stream for the calling thread, now: call->op. It comes after what is in the
 * stream, and after the operations in `after` (none: NULL, 0). A stream with a keeper (stream.h)
 * gives it to that instead, and call->op is 0. An error when there is no memory to put a copy's
 * source aside, or where a capture forbids it: then nothing happens. */
cudaError_t operation_submit(Call *, const Stream *, Operation *, const EngineOp *after,
                             int n_after);
/* The stream has been made to wait for an event that stands for a kernel's trigger, not for its
 * end: what its next kernel's cudaGridDependencySynchronize() waits for, too. */
void operation_early(const Stream *, EngineOp kernel, bool ends);

/* ---- kept operations ---- */

/* Makes a kept copy of one that has not been submitted; the copy lives on its own, and so does the
 * original, which becomes a kept one, too. False when memory is short, or for an operation that
 * cannot happen twice: memory comes into being, or goes, once. */
bool operation_keep(Operation *copy, Operation *);
void operation_release(Operation *kept);
#endif
