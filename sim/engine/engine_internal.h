/* engine_internal.h - what the engine's files share: its data, and the few functions that cross
 * from one file to another.
 *
 *   engine.c    the interface: streams, submission, steps, questions
 *   waits.c     dependencies between operations, the times at which they end, and the causes that
 *               come of them
 *   dispatch.c  engines: who may start, who runs, who ends
 *
 * The life of an operation: submitted (its dependencies are counted in `pending`), ready (pending
 * is 0: it stands in the heap of its group from ready_ns on), running, done. A step is decided when
 * its time comes and reported by engine_step one by one; questions about an operation are answered
 * by what has been reported.
 */
#ifndef THREELANE_ENGINE_INTERNAL_H
#define THREELANE_ENGINE_INTERNAL_H
#include "common/devices.h"
#include "sim/engine/chance.h"
#include "sim/engine/engine.h"
#include "sim/engine/heap.h"

typedef enum OpState { OP_SUBMITTED, OP_READY, OP_RUNNING, OP_DONE } OpState;

typedef struct Op { /* a million of them are nothing unusual: one cache line each */
    uint64_t issued_ns;
    union {
        uint64_t ready_ns; /* until it starts: not before this, because of ready_by */
        uint64_t start_ns;
    };
    union {
        uint64_t work_ns; /* until it is done; compute: of one block */
        uint64_t end_ns;
    };
    uint32_t causes; /* once it has started: the first of n_causes */
    union {
        uint32_t waits; /* until it starts: nodes: what it waited for so far, latest first */
        uint32_t n_causes;
    };
    uint32_t edges; /* nodes: who waits for its end */
    union {
        uint32_t queue_next; /* who waits in a hardware queue until it is dispatched */
        uint32_t graph;      /* of a node: the op whose node it is */
    };
    union {
        uint32_t pending;   /* until it is ready: how much it still waits for */
        uint32_t in_flight; /* compute: blocks running */
        uint32_t last_node; /* TRACE_GRAPH that has started: which node ended last so far */
    };
    uint32_t ready_by; /* see ready_ns */
    uint32_t stream;
    uint32_t blocks;       /* compute: yet to dispatch; TRACE_GRAPH: nodes that have not ended, and
                              one until it is closed */
    uint8_t blocks_per_sm; /* 0: needs no room */
    int8_t priority;       /* kernels: as a stream's */
    uint16_t engine;
    uint16_t group;
    uint8_t kind : 5;      /* TraceOpKind */
    uint8_t state : 2;     /* OpState */
    bool ready_engine : 1; /* ready_by was ahead of it on an engine that serves by issue; else
                              latency */
    bool open : 1, dispatched : 1, told_start : 1, told_end : 1, node : 1;
    bool triggers : 1, triggered : 1; /* it has a Trigger; that has come */
    bool grouped : 1;                 /* compute: blocks and in_flight count groups (Grouped) */
} Op;
_Static_assert(sizeof(Op) == 64, "an operation fills a cache line");
_Static_assert(TRACE_OP_KINDS <= 32, "a kind has five bits there");

/* In a list of edges or of waits; n: how many there are from here on (waits). nodes[0] ends every
 * list. */
typedef struct Node {
    uint64_t until_ns;
    uint32_t op, next, kind, n;
} Node;

/* A kernel whose blocks start in groups, and the room that a group takes. */
typedef struct Grouped {
    uint32_t op;
    uint64_t room;
} Grouped;

typedef struct Stream {
    uint32_t last;    /* the latest op */
    uint32_t primary; /* the kernel that nothing but records without timing came behind, or 0 */
    uint32_t *early;  /* ops before it that it did not wait for, and nothing has since */
    uint32_t n_early, early_room;
    uint32_t set, set_at; /* as in Device */
    uint32_t legacy_seen; /* the legacy op that its ops are already behind */
    int32_t priority;
    uint16_t device;
    uint8_t flavour, queue;
    bool listed, released; /* listed: in its device's `since` */
} Stream;

/* Engines that draw from one pool of work: all of a class on a device, or the driver thread, or
 * (without any engine) what only takes time. */
typedef enum GroupType { GROUP_SERIAL, GROUP_COMPUTE, GROUP_FREE } GroupType;

typedef struct Server {
    uint32_t engine;   /* its number */
    uint32_t op, last; /* running or 0; the one before */
    uint32_t follow;   /* the next of last's stream, ready as soon as the engine: it goes first */
    uint64_t end_ns;   /* of op */
    uint64_t last_end_ns, free_ns; /* end of last; free_ns includes the gap between copies */
    unsigned __int128 left;  /* copies that may slow down: work left at since_ns, in nanoseconds *
                                FULL_RATE */
    uint64_t since_ns, rate; /* rate 0: its end is fixed */
    bool beside;             /* op has run beside a copy of the other direction */
} Server;

typedef struct Group {
    GroupType type;
    uint16_t device;
    bool by_stream;        /* one engine, which stays with a stream while it can (Server.follow) */
    bool by_issue, ranked; /* ranked: what is ready goes by rank (priority, seed), not by time */
    bool link;             /* between two devices, to this one: */
    uint8_t link_to;
    bool duplex;  /* copies of one direction slow, or delay, those of the other */
    bool changed; /* compute: something may be able to start */
    Heap future;  /* by ready_ns */
    Heap ready;   /* ranked: by rank */
    Heap ends;    /* compute: batches of blocks by their end; free: ops by their end */
    uint32_t *fifo, fifo_head, fifo_n, fifo_room; /* by issue: submitted, not yet passed on (a ring)
                                                   */
    uint64_t fed_ns;
    uint32_t fed; /* by issue: the latest passed on */
    Server servers[MODEL_ENGINES];
    uint32_t n_servers;
    uint64_t room, room_total; /* compute: free and whole, in ROOM_PER_SM */
    int grids;                 /* compute: free */
    uint32_t room_by, grid_by; /* compute: who freed some last */
    uint8_t blocked;           /* compute: the cause that keeps the first in line from starting */
} Group;

/* The least common multiple of 1..MOST_PER_SM, so that a block's share of an SM is a whole
 * number. */
#define ROOM_PER_SM 144403552893600u
#define FULL_RATE 1000000u

#define MOST_NS \
    ((uint64_t)1 << 56) /* no work is longer, no call later: two years; sums cannot overflow */

enum { FREE_GROUP, DRIVER_GROUP }; /* the first two; then each device's */
enum { QUEUE_NONE, QUEUE_COMPUTE, QUEUE_H2D, QUEUE_D2H, QUEUE_KINDS };
enum { QUEUES = 32, MOST_PER_SM = 32 };
#define ENGINE_SET \
    0xF0000000u /* handles from here on stand for a set of ops: see engine_stream_tail */

typedef struct Device {
    uint32_t legacy_stream, last_legacy;
    uint32_t *since, n_since, since_room; /* blocking streams with ops after the last legacy op */
    uint32_t queue_last[QUEUE_KINDS][QUEUES], n_streams; /* the latest op of each hardware queue */
    uint64_t unfinished;                                 /* ops whose end has not been reported */
    uint32_t set, set_at; /* the latest set made for the legacy stream, and the op count at that
                             time */
    uint8_t group[TRACE_OP_KINDS]; /* which group runs an op of this kind */
    uint16_t link[DEVICES_MOST];   /* which group copies to that device; 0: none */
    uint32_t copying[2];           /* copies running: H2D, D2H */
    uint32_t sending, receiving;   /* copies over its links that are running */
    uint64_t slow_rate[2];         /* their rates while one in the other direction runs */
} Device;

/* Of a kernel that runs: its blocks trigger so long after they began. */
typedef struct Trigger {
    uint32_t op;
    uint64_t block_ns, at_ns; /* at_ns: when all have; ENGINE_NEVER: some are not in yet */
} Trigger;

typedef struct OpSet {
    uint32_t *ops, n;
} OpSet;

/* An array that only grows, in memory of its own: growing moves no bytes, and what is not used
 * costs nothing. */
typedef struct Region {
    void *at;
    size_t bytes;
} Region;

struct Engine {
    Model model;
    uint64_t seed, now, last_issue;
    uint64_t next_ns; /* the earliest of group_next */
    int queues;
    bool failed;          /* out of memory: nothing happens any more */
    bool in_round, woken; /* woken: an op became ready at this moment */
    Op *ops;
    Region op_region;
    uint32_t n_ops;
    uint32_t n_over; /* so many of the first have ended, for sure */
    EngineCause *causes;
    Region cause_region;
    uint32_t n_causes;
    Stream *streams;
    uint32_t n_streams, stream_room;
    Device devices[DEVICES_MOST];
    uint32_t staged;      /* copies between devices that go through the host, running */
    uint64_t staged_rate; /* their rate while there are several */
    Group *groups;
    uint32_t n_groups, n_engines;
    uint64_t *group_next; /* by group: when something next happens there */
    Node *nodes;
    uint32_t n_nodes, node_room, free_node;
    OpSet *sets;
    uint32_t n_sets, set_room;
    Grouped *grouped; /* by rising numbers of operations */
    uint32_t n_grouped, grouped_room;
    Trigger *triggers;
    uint32_t n_triggers, trigger_room;
    uint32_t *moment, n_moment, moment_room; /* the ops that end (the first n_ended), then those
                                                that start, now */
    uint32_t n_ended, n_told;
    HeapItem *aside;
    uint32_t n_aside, aside_room; /* who waits for a grid slot while residents go on */
};

static inline Op *op_at(const Engine *e, uint32_t id) { return &e->ops[id]; }
static inline bool is_marker(const Op *op)
{
    return op->kind >= TRACE_RECORD && op->kind != TRACE_GRAPH;
}

/* Makes room for one more element; false (and e->failed) when out of memory. */
bool engine_grow_more(Engine *, void *array, uint32_t *room, size_t size);
static inline bool engine_grow(Engine *e, void *array, uint32_t n, uint32_t *room, size_t size)
{
    return n < *room || engine_grow_more(e, array, room, size);
}

/* Makes the region at least so large; the array in it may move. False (and e->failed) when out of
 * memory. */
bool engine_region_more(Engine *, Region *, size_t bytes);
static inline bool engine_region_grow(Engine *e, Region *region, size_t bytes)
{
    return bytes <= region->bytes || engine_region_more(e, region, bytes);
}

/* A wait for a kernel's trigger, of that kind where it comes with the end: with a TraceCauseKind.
 */
enum { EARLY = 1 << 16, BEGUN = 1 << 17 }; /* BEGUN: for all its blocks having begun */

/* waits.c. link: op will wait for the end of `for_` (EARLY: for its trigger). link_start: for the
 * start of a TRACE_GRAPH op. wait_ended: one of op's waits has ended. resolve: `id` is done, tells
 * all who wait for it. resolve_start: it has started; resolve_early: it has triggered, or (BEGUN)
 * its last blocks have begun. decided: a node has come to a graph that runs already, because of
 * what ended there, or because the graph began. settle: op starts now; writes its causes; by and
 * until say what kept it since ready_ns (by 0: nothing, or only its own latency). */
void engine_link(Engine *, uint32_t op, uint32_t for_, uint32_t kind);
void engine_link_start(Engine *, uint32_t op, uint32_t for_);
void engine_resolve_start(Engine *, uint32_t id);
void engine_decided(Engine *, uint32_t id);
void engine_wait_ended(Engine *, Op *, TraceCauseKind, uint32_t by, uint64_t until_ns);
void engine_resolve(Engine *, uint32_t id);
void engine_resolve_early(Engine *, uint32_t id, uint32_t which);
void engine_settle(Engine *, uint32_t id, TraceCauseKind, uint32_t by, uint64_t until_ns);

/* dispatch.c. enqueue: op waits for nothing more. dispatched: op has left its hardware queue.
 * round: lets happen what happens at `ns`. */
void engine_enqueue(Engine *, uint32_t id);
bool engine_join_fifo(Engine *, Group *, uint32_t id);
void engine_pass_on(Engine *, Group *);
void engine_node_ended(Engine *, uint32_t graph, uint32_t node); /* node 0: it is closed */
void engine_dispatched(Engine *, uint32_t id);
void engine_round(Engine *, uint64_t ns);
void engine_group_next(Engine *, uint32_t group);
void engine_add_batch(Engine *, Group *, uint32_t id, uint64_t end_ns, uint32_t count);
void engine_add_trigger(Engine *, Group *, uint32_t id, uint64_t began_ns);
#endif
