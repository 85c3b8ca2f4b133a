/* engine.h - the discrete-event core of the virtual GPU.
 *
 * Integer nanoseconds in, a schedule out. No I/O, no CUDA types, no clock, no global state: the
 * same calls give the same schedule, byte for byte. The engine knows streams, dependencies,
 * engines, hardware queues, resident grids and SM room; it does not know what an operation does.
 * Whoever drives it (the runtime, a test) submits operations in order of issue, steps it, performs
 * effects when it reports an end, and tells it how long a kernel turned out to be.
 *
 * Semantics: streams as CUDA documents them, and as an H200 was seen to run them;
 * tests/unit/sim/test_engine.c has each rule. Ownership: an Engine owns everything; pointers
 * returned are valid until the next engine_* call that is not const.
 */
#ifndef THREELANE_ENGINE_H
#define THREELANE_ENGINE_H
#include <stdbool.h>
#include <stdint.h>
#include "sim/model/model.h"
#include "timeline/trace/trace.h"

typedef struct Engine Engine;
typedef uint32_t EngineOp;     /* 1.. in order of submission; 0 none */
typedef uint32_t EngineStream; /* 1.. in order of creation; 0 none */
#define ENGINE_NEVER UINT64_MAX
#define ENGINE_OPEN UINT64_MAX /* work not known yet */

typedef struct EngineConfig {
    int hardware_queues; /* 1..32, as CUDA_DEVICE_MAX_CONNECTIONS; 0: the model's default. Streams
                            take them in turn; each is one queue for compute and host functions and
                            one for copies of either direction */
    uint64_t seed; /* 0: the canonical schedule; else another legal one: the order of what is ready
                      in different streams, start-up gaps, the durations of copies and sets
                      (chance.h, EXPLORE.md); same seed, same schedule */
} EngineConfig;

/* The model is copied. NULL when out of memory. */
Engine *engine_new(const Model *, const EngineConfig *);
void engine_free(Engine *);

/* Engines are numbered 1..n as the trace wants them: device by device in the model's order, then
 * the links between devices (class link: from each device one to every other), then one host engine
 * (class host: the driver thread that runs host functions, one for the process). */
uint32_t engine_count(const Engine *);
/* As in the trace's engine record; devices count from 1. Of the host engine, device is 0. */
TraceEngine engine_describe(const Engine *, uint32_t engine);

/* device is 0-based. Priority: lower is more urgent (as CUDA). Each device has exactly one legacy
 * stream, which the caller creates first. */
EngineStream engine_stream_new(Engine *, int device, TraceStreamFlavour, int priority);
/* The caller will submit nothing more; work that is there still finishes. */
void engine_stream_release(Engine *, EngineStream);

typedef struct EngineSubmit {
    TraceOpKind kind;
    EngineStream stream;
    uint64_t work_ns;       /* copies and sets: uncontended time on the engine. kernels: time of one
                               block. ENGINE_OPEN (kernels, host functions): told later. A
                               TRACE_GRAPH that is a node, the graph of which has begun: so much
                               later it starts */
    uint32_t blocks;        /* kernels, memsets and d2d copies that need SM room; 0: none */
    uint32_t blocks_per_sm; /* how many of them one SM holds (>= 1) */
    uint32_t together; /* blocks: so many of them start at once, or none of them (a cluster; all
                          of a cooperative launch); 0: each by itself */
    uint32_t groups_at_once; /* how many such groups there is room for; 0: as many as their blocks
                                have */
    const EngineOp *after;   /* further operations that must have ended (what an event stood for; of
                                an  allocation: the frees before it) */
    int n_after;
    bool in_pieces; /* copies: goes through its engine piece by piece, slower than the engine could,
                       so that others go between: it neither waits for the engine nor holds it */
    uint32_t copies_from, copies_to; /* p2p: over the link between these devices (from 1); to 0:
                                        through the host, on the D2H engine of the one it is from */
    EngineOp graph; /* a node of this TRACE_GRAPH op, which is not closed: it stands in no stream,
                       and waits for that op's start and for the ends in `after` alone; what runs it
                       it needs like any other. `stream` says on which device. 0: no node */
    int priority;   /* of a kernel, like a stream's; ... */
    bool own_priority; /* ... false: its stream's */
    bool programmatic; /* kernels: where the op before it in the stream is a kernel, it waits for
                          that one's trigger, not for its end. What comes after both waits for the
                          ends of both */
    const EngineOp *early; /* kernels whose trigger, not whose end, it waits for; ... */
    int n_early, n_begun;  /* ... of the first n_begun it is enough that all blocks have begun */
    bool parts; /* records: what comes behind it is not programmatic, as one that takes the time */
    bool apart; /* markers: it only carries the stream's number: it comes after nothing that is in
                   the stream, and nothing there after it */
} EngineSubmit;

/* Submits an operation that the host issues at now_ns (never less than an earlier submission's).
 * Markers (record, wait, alloc, free) take no time and no engine but obey stream order. A
 * TRACE_GRAPH op needs no engine either: it starts where a marker would, lets its nodes begin, and
 * ends when it is closed and all its nodes have ended. It may be a node itself. 0: no such stream,
 * or out of memory. */
EngineOp engine_submit(Engine *, const EngineSubmit *, uint64_t now_ns);
/* A TRACE_GRAPH op that is not closed ends so much later than its last node. */
void engine_graph_lingers(Engine *, EngineOp, uint64_t ns);
/* A TRACE_GRAPH op gets no more nodes. */
void engine_graph_close(Engine *, EngineOp);

typedef enum EngineWhat { ENGINE_STARTED, ENGINE_ENDED } EngineWhat;
typedef struct EngineStep {
    EngineWhat what;
    EngineOp op;
    uint64_t ns;
    uint32_t engine;
} EngineStep;

/* When the next thing happens, or ENGINE_NEVER. No step comes earlier. It may be an inner change
 * that nobody needs to hear of (the next wave of a kernel's blocks, a start-up gap that ends while
 * the engine is busy). */
uint64_t engine_next_ns(const Engine *);
/* Takes what happens at engine_next_ns, and nothing later: true and one step (an operation started
 * or ended), or false: an inner change, or nothing is left (engine_next_ns is then ENGINE_NEVER).
 * Until all is done:
 *     while (engine_next_ns(e) != ENGINE_NEVER) if (engine_step(e, &step)) ...
 * Steps come in time order; at one time, ends before starts, then order of submission (an operation
 * that takes no time starts and ends after the others). Markers start and end on engine 0. */
bool engine_step(Engine *, EngineStep *);

/* For a kernel whose work was ENGINE_OPEN, after its ENGINE_STARTED: the time one of its blocks
 * takes. */
void engine_set_work(Engine *, EngineOp, uint64_t block_ns);
/* Ends an open kernel or host function at ns (>= the current time); reported by a later
 * engine_step. */
void engine_finish(Engine *, EngineOp, uint64_t ns);

/* A running kernel's trigger: each of its blocks has said, block_ns after it began, that what waits
 * for the trigger may start. The trigger comes when the last block has (engine_op_trigger_ns;
 * before ENGINE_ENDED only); a kernel that this is never called for triggers by its end. Before
 * engine_set_work where blocks may still have to go in. */
void engine_trigger(Engine *, EngineOp, uint64_t block_ns);
uint64_t engine_op_trigger_ns(const Engine *, EngineOp); /* ENGINE_NEVER: not by itself, so far */
/* engine_set_work for a kernel whose first blocks had to wait, and later ones have not: how long
 * those that are in last, and the others. */
void engine_set_works(Engine *, EngineOp, uint64_t first_ns, uint64_t block_ns);

/* State of an operation. */
/* A number among those of operations, for something that is over: the engine has nothing to do
 * with it. 0 when memory is short. */
EngineOp engine_number(Engine *);
bool engine_op_ended(const Engine *, EngineOp);
uint64_t engine_op_end_ns(const Engine *, EngineOp);   /* ENGINE_NEVER while it has not ended */
uint64_t engine_op_start_ns(const Engine *, EngineOp); /* ENGINE_NEVER while it has not started */

/* When the host issued it; of a node, the launch that it belongs to. */
uint32_t engine_op_engine(const Engine *, EngineOp); /* 0: it has not started, or on none */
uint64_t engine_op_issued_ns(const Engine *, EngineOp);

/* The first operation, in order of submission, that has not ended; the next number when all have.
 */
EngineOp engine_oldest(Engine *);

/* The op that stands for "everything submitted to this stream so far" (0: nothing outstanding ever
 * submitted). For the legacy stream this covers all blocking streams of its device: where several
 * have work, and where a programmatic kernel did not wait for what is before it, it is a handle
 * from 0xF0000000 on that stands for a set of ops; engine_op_ended, engine_op_end_ns and `after`
 * take it like an op. A stream is idle when that op has ended. */
EngineOp engine_stream_tail(const Engine *, EngineStream);
/* The kernel whose trigger a programmatic one would wait for that were submitted now: the op that
 * was submitted to the stream last but for records of events, ended or not; 0: there is none, or it
 * is no kernel. */
EngineOp engine_primary(const Engine *, EngineStream);
/* Ops before the last one that may not have ended when that has: the first of them, if there are
 * more than room. */
uint32_t engine_stream_early(const Engine *, EngineStream, EngineOp *to, uint32_t room);
bool engine_stream_idle(const Engine *, EngineStream); /* legacy: with all blocking streams */
bool engine_device_idle(const Engine *, int device);
bool engine_idle(const Engine *);

/* Why op did not start earlier, in the order in which the waits ended. Complete once it has
 * started. */
typedef struct EngineCause {
    TraceCauseKind kind;
    EngineOp by_op;
    uint64_t until_ns;
} EngineCause;
uint32_t engine_causes(const Engine *, EngineOp, const EngineCause **);
#endif
