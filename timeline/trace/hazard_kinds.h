/* hazard_kinds.h - every kind of hazard, a row each. The words stand in traces, in exercise.ini
 * (the check kind `hazards`) and in what `threelane check` prints; sim/hazard finds them. */
#ifndef THREELANE_HAZARD_KINDS_H
#define THREELANE_HAZARD_KINDS_H

/* Its name, its word, and
 *     HAZARD_NOTE    a note, no error
 *     HAZARD_ORDER   in the group `hazards` of THREELANE_CHECK; HAZARD_MEMORY: in the group
 *                    `memory`
 *     HAZARD_CLOCKS  found by what is ordered after what (hazard.c): accesses are followed
 *     HAZARD_ALWAYS  a note that is told without being asked for
 * What each means stands in HAZARDS.md, in a table with the same words. */
#define HAZARD_TABLE(HAZARD)                                                               \
    HAZARD(RACE, "race", HAZARD_ORDER | HAZARD_CLOCKS)                                     \
    HAZARD(HOST_RACE, "host-race", HAZARD_ORDER | HAZARD_CLOCKS)                           \
    HAZARD(THREAD_RACE, "thread-race", HAZARD_ORDER | HAZARD_CLOCKS)                       \
    HAZARD(FREE_IN_FLIGHT, "free-in-flight", HAZARD_ORDER | HAZARD_CLOCKS)                 \
    HAZARD(USE_BEFORE_ALLOC, "use-before-alloc", HAZARD_ORDER | HAZARD_CLOCKS)             \
    HAZARD(USE_AFTER_FREE, "use-after-free", HAZARD_ORDER | HAZARD_MEMORY | HAZARD_CLOCKS) \
    HAZARD(OUT_OF_BOUNDS, "out-of-bounds", HAZARD_MEMORY)                                  \
    HAZARD(UNINITIALISED, "uninitialised", HAZARD_MEMORY | HAZARD_CLOCKS)                  \
    HAZARD(WRONG_MEMORY, "wrong-memory", HAZARD_MEMORY)                                    \
    HAZARD(BARRIER, "barrier", HAZARD_MEMORY)                                              \
    HAZARD(SHARED_RACE, "shared-race", HAZARD_MEMORY)                                      \
    HAZARD(GLOBAL_RACE, "global-race", HAZARD_MEMORY)                                      \
    HAZARD(CLUSTER_LIFE, "cluster-life", HAZARD_MEMORY)                                    \
    HAZARD(MISALIGNED, "misaligned", HAZARD_MEMORY)                                        \
    HAZARD(FAILED_LAUNCH, "failed-launch", HAZARD_MEMORY)                                  \
    HAZARD(NOT_GUARANTEED, "not-guaranteed", HAZARD_NOTE | HAZARD_ORDER | HAZARD_CLOCKS)   \
    HAZARD(EARLY_RETURN, "early-return", HAZARD_NOTE | HAZARD_MEMORY)                      \
    HAZARD(DEFAULT_TIMING, "default-timing", HAZARD_NOTE | HAZARD_ORDER)                   \
    HAZARD(SAME_VALUE, "same-value", HAZARD_NOTE | HAZARD_MEMORY)                          \
    HAZARD(FAILED_CALL, "failed-call", HAZARD_NOTE | HAZARD_MEMORY)                        \
    HAZARD(PARTLY_WATCHED, "partly-watched", HAZARD_NOTE | HAZARD_MEMORY | HAZARD_ALWAYS)  \
    HAZARD(REDUNDANT, "redundant", HAZARD_NOTE | HAZARD_ORDER | HAZARD_CLOCKS)             \
    HAZARD(LEAK, "leak", HAZARD_NOTE | HAZARD_MEMORY)                                      \
    HAZARD(UNFINISHED, "unfinished", HAZARD_NOTE | HAZARD_ORDER | HAZARD_ALWAYS)
#endif
