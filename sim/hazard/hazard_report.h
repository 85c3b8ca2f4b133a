/* hazard_report.h - what was found, joined, explained and written out when the program ends
 * (HAZARDS.md has the forms).
 *
 * Anything below the CUDA API may report. Repetitions of a kind at the same pair of places are
 * counted, not repeated. All functions are called with the baton held (host.h). Strings are copied.
 */
#ifndef THREELANE_HAZARD_REPORT_H
#define THREELANE_HAZARD_REPORT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/hazard/alloc_origin.h"
#include "sim/memory/memory.h"
#include "timeline/trace/hazard_kinds.h"
#include "timeline/trace/trace.h"

/* The flags of hazard_kinds.h. */
enum {
    HAZARD_NOTE = 1,
    HAZARD_ORDER = 2,
    HAZARD_MEMORY = 4,
    HAZARD_CLOCKS = 8,
    HAZARD_ALWAYS = 16
};
#define HAZARD_ENUM(NAME, WORD, FLAGS) HAZARD_##NAME,
typedef enum HazardKind { HAZARD_TABLE(HAZARD_ENUM) HAZARD_KINDS } HazardKind;
extern const char *const hazard_word[HAZARD_KINDS];
/* Is a kind looked for that needs HAZARD_CLOCKS? */
bool hazard_wants_clocks(void);
bool hazard_is_note(HazardKind);

/* Reads THREELANE_CHECK. False and a message when its value is none of those it can have. hooks:
 * the program is instrumented; without, everything is off. */
bool hazard_configure(const char *value, bool hooks, char *error, size_t error_size);
/* Is this kind looked for? */
bool hazard_wanted(HazardKind);

typedef struct HazardAccess {
    const char *verb; /* "reads", "writes", "frees", "atomically updates" ...; NULL: no such access
                       */
    uint32_t op;      /* in the trace; 0: host code */
    uint32_t stream;  /* of the op, in the trace */
    uint32_t thread;  /* of host code */
    TraceSite site;   /* of the call that issued op, or of host code's access; file NULL: see pc */
    const void *pc;   /* of the access, when site is not known: looked up when it is written */
} HazardAccess;

typedef struct HazardMemory { /* the block a report is about, as it was then */
    uintptr_t address;
    size_t bytes; /* 0: not known */
    TraceMemory kind;
    bool pool;
    unsigned flags;
    TraceSite made;
    const char *name; /* shared memory of a block, a variable: its; static storage. Else NULL */
    const char *by;   /* the call that allocated it; static storage. NULL: the usual one */
    bool variable;    /* name is that of a variable of the program: __device__, __constant__ ... */
    unsigned trail;   /* who allocated it (alloc_origin.h); 0: not known */
    bool stack;       /* pageable: a local variable, bytes being what its function has left there */
} HazardMemory;
HazardMemory hazard_memory_at(const void *address);
HazardMemory hazard_memory_of(const MemoryBlock *);

/* In headline, why and fix: {1} and {2} are the labels of the accesses, {line1} and {line2} their
 * lines, {m} the memory's name and range, {stream N} the label of the stream with that number,
 * {at1} and {at2} file:line. */
typedef struct HazardReport {
    HazardKind kind;
    HazardAccess first, second; /* the one that was issued first first; a kind of one access has it
                                   in second */
    const void *address;        /* NULL: the report is about no memory */
    size_t bytes;               /* from address to the last byte concerned */
    size_t touched;             /* how many of them are (0: all) */
    HazardMemory memory;        /* bytes 0: looked up */
    const char *headline;       /* NULL: made from the accesses */
    const char *why, *fix;      /* one line each; NULL: none */
    uint32_t times;             /* 0: once */
    const char *source; /* a source file to look in for declarations; NULL: those of the accesses */
} HazardReport;
void hazard_report(const HazardReport *);
/* Who is told instead, when there is somebody. */
extern void (*hazard_diverted)(const HazardReport *);
/* A race says more: what that operation was said to read unwritten in these bytes is not
 * reported. */
void hazard_explains(uint32_t op, uintptr_t address, size_t bytes);
/* The address lies where nothing may be touched: says which kind that is, and why in words; fills
 * in the report's memory (the block that was probably meant), or clears its address; its first
 * access becomes the free, and its fix is set to a text that lasts until the next call. */
HazardKind hazard_outside(uintptr_t bad, HazardReport *, char *text, size_t size);
/* How many errors have been reported so far, repetitions included. */
uint32_t hazard_errors(void);
/* An argument of a call (from 0) is this pageable memory: reports name it so. by: NULL for a copy;
 * the name of a call that is given a local variable (bytes: what its function has on the stack from
 * there). */
void hazard_name_pageable(const void *address, size_t bytes, TraceSite call, const char *by,
                          int argument);

/* What labels are made from. Called by the runtime as things happen; cheap. */
void hazard_saw_op(uint32_t op, TraceOpKind, uint32_t stream, uint32_t launch, const char *name);
void hazard_saw_start(uint32_t op, uint64_t ns);
void hazard_saw_stream(uint32_t stream, uint32_t device, TraceStreamFlavour);
void hazard_saw_range(uint32_t range);
void hazard_saw_rangeend(uint32_t range);
/* A name given through NVTX. what: "stream". */
void hazard_saw_name(const char *what, uint32_t id, const char *name);

/* The program did not end by itself, but was stopped: a word of EXIT_STATUS_OF_PROGRAMS
 * (common/exit_status.h), why, and where (file NULL: not known). For the JSON; the strings live on.
 */
void hazard_stopped(const char *kind, const char *text, TraceSite);

/* Writes the reports: text to stderr, JSON where THREELANE_CHECK_JSON says, a record in the trace
 * for each through `record`. Either may be NULL. Once, when the program ends. Tells how many there
 * were, and of the first that is told its kind and headline (valid until the next call). */
typedef struct HazardTally {
    uint32_t errors, notes;
    const char *kind, *headline;
} HazardTally;
typedef void HazardRecord(const TraceHazard *);
/* The source line of a code address; false when it is not known. */
typedef bool HazardDescribe(const void *pc, char *file, size_t file_size, uint32_t *line);
HazardTally hazard_finish(HazardRecord *record, HazardDescribe *describe, AllocOriginFrames *frames,
                          const char *program);
#endif
