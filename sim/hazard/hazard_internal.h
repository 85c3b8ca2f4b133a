/* hazard_internal.h - what the files of sim/hazard share. */
#ifndef THREELANE_HAZARD_INTERNAL_H
#define THREELANE_HAZARD_INTERNAL_H
#include "sim/hazard/byteset.h"
#include "sim/hazard/clock.h"
#include "sim/hazard/hazard.h"
#include "sim/hazard/hazard_report.h"

/* Which places of host code touched which stretch, for the line in a report. */
typedef struct HostPlace {
    const void *pc;
    uintptr_t low, high;
    uint32_t kind;  /* HazardTouchKind */
    uint32_t order; /* among those of its segment, by the first access */
} HostPlace;

typedef enum TouchRole {
    TOUCH_DEVICE,
    TOUCH_HOST,
    TOUCH_HOST_FUNCTION,
    TOUCH_FREE,
    TOUCH_HOST_FREE,
    TOUCH_ALLOC
} TouchRole;

/* Of a dependent launch: what it touched without having waited for the kernel before it, or after
 * that. */
typedef enum TouchEarly {
    EARLY_NOT,
    EARLY_NEVER_WAITS,
    EARLY_BEFORE_WAIT,
    EARLY_AFTER_WAIT
} TouchEarly;

enum { EARLY_MOST = 4 };

typedef struct Touch {
    ClockPoint point; /* who did it */
    ClockPoint lucky; /* what also says, by luck, that it is over; time 0: nothing */
    Clock *clock;     /* what it came after, itself included */
    HazardBytes sets[HAZARD_TOUCHES];
    uintptr_t low, high;
    TouchRole role;
    TouchEarly early;
    uint32_t early_of[EARLY_MOST]; /* kernels elsewhere whose triggers it waited for, or nodes
                                      before it; 0: in its stream */
    bool beside_early; /* a node: there are dependent launches among those of its graph before it */
    TraceOpKind kind;
    uint32_t op, stream, thread;
    uint32_t launch;        /* of a graph, whose node it is; 0: none */
    uint64_t seq;           /* when it was issued, in the order of calls */
    bool waits;             /* a free that happens to wait for the device first */
    TraceSite site, issued; /* issued: the call that launched it, of a host function or a graph */
    HostPlace *places;
    uint32_t n_places;
} Touch;

/* Two touches that nothing orders. first was issued first. */
typedef struct PairSide {
    ClockPoint point;
    Clock *clock;
    TouchRole role;
    TouchEarly early;
    uint32_t early_of[EARLY_MOST];
    bool beside_early;
    uint32_t op, stream, thread, launch;
    TraceOpKind kind;
    uint64_t seq;
    TraceSite site, issued;
    const void *pc;
    uint32_t order; /* of the place, among those at the same point */
    const char *verb;
    bool atomic; /* it only reads or updates atomically (or volatile) what the pair is about */
} PairSide;
typedef struct Pair {
    HazardKind what;
    PairSide first, second;
    uintptr_t address;
    size_t bytes;
    uint64_t touched;
    HazardMemory memory;
    uint32_t times;
    bool hidden;
    bool ordered; /* a use after a free that it is ordered after */
} Pair;

/* Calls of the program that order, or look as if they did; for explanations. */
typedef enum MarkKind {
    MARK_RECORD,
    MARK_WAIT,
    MARK_SYNC_STREAM,
    MARK_SYNC_EVENT,
    MARK_SYNC_DEVICE
} MarkKind;
typedef struct Mark {
    MarkKind kind;
    uint32_t stream, event, thread;
    uint64_t seq;
    uint64_t record_seq; /* waits: of the record that counts; 0: none */
    uint32_t record_stream;
    TraceSite site;
} Mark;
extern Mark *hazard_marks;
extern uint32_t hazard_n_marks;
/* Has reader (0: host code) seen a flag that writer raised without a fence? */
bool hazard_unfenced_flag(uint32_t writer, uint32_t reader);

/* explain.c: why nothing orders the pair, and what would. */
void explain_pair(const Pair *, char *why, size_t why_size, char *fix, size_t fix_size);
TraceStreamFlavour hazard_flavour(uint32_t stream);
bool hazard_by_driver(uint32_t stream); /* a call of the driver API made it */
#endif
