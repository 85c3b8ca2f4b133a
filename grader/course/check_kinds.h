/* check_kinds.h - every kind of check, a row each. EXERCISE.md's table is `threelane help checks`,
 * made from this.
 *
 *     CHECK(ENUM, word, flags, passes when, its keys ...)
 *
 * The word stands in exercise.ini, and grader/judge has the function judge_word() that decides.
 * Flags:
 *     ANY_SCHEDULE  holds on every legal schedule when it holds on one: no question of times or of
 *                   overlap
 *     ON_CARD       can be judged by what a real GPU did
 *     NO_TRACE      needs no trace: a program that never came to its first CUDA call can be judged
 *     COMPARES      one of its keys has to say what a number is compared with
 *     EITHER        takes either `select` or `range`
 *     INSIDE        what happens inside kernels has to be found out for it (THREELANE_INSIDE)
 * Keys: what a key's value is (exercise.c), and whether it is needed. */
#ifndef THREELANE_CHECK_KINDS_H
#define THREELANE_CHECK_KINDS_H
#include "timeline/trace/hazard_kinds.h"

#define CHECK_KEYS_COMPARE \
    {"is", NUMBER, false, NULL}, {"least", NUMBER, false, NULL}, { "most", NUMBER, false, NULL }
/* A length that earns points by how short it is (checks.h). */
#define CHECK_KEYS_SCORE \
    {"zero", NUMBER, false, NULL}, { "record", NUMBER, false, NULL }
#define CHECK_KEYS_CARRY                                               \
    {"carry", SELECTORS, false, NULL}, {"bytes", NUMBER, false, NULL}, \
        {"at-once", NUMBER, false, NULL},                              \
    {                                                                  \
        "device", SELECTORS, false, NULL                               \
    }
#define CHECK_CAUSES                                                                     \
    "host stream event legacy engine room grids queue driver latency memory pool graph " \
    "trigger"
#define CHECK_HAZARD_WORD(NAME, WORD, FLAGS) " " WORD
#define CHECK_HAZARD_KINDS HAZARD_TABLE(CHECK_HAZARD_WORD)
#define CHECK_FLAVOURS "legacy per-thread blocking nonblocking"

#define CHECK_TABLE(CHECK)                                                                         \
    CHECK(RESULTS, results, ANY_SCHEDULE | ON_CARD | NO_TRACE,                                     \
          "the dumps (`of`: the one of that name) equal those of the solution run with the same "  \
          "parameters and seed (floats within 1e-5 relative)",                                     \
          {"of", WORD, false, NULL})                                                               \
    CHECK(REPORT, report, ON_CARD | NO_TRACE,                                                      \
          "the rendered report equals the golden text (exercise's own model and parameters) or "   \
          "the solution's report (other runs)",                                                    \
          {0})                                                                                     \
    CHECK(OVERLAP, overlap, ON_CARD,                                                               \
          "at least that many (default 1; `all`) intervals of `a` overlap some interval of `b` "   \
          "(by more than 1% of the shorter); `bytes`: and such `b` move that many bytes in all; "  \
          "`exactly`: and there are that many `a`",                                                \
          {"a", SELECTORS, true, NULL}, {"b", A_SELECTOR, true, NULL},                             \
          {"least", LEAST, false, NULL}, {"bytes", NUMBER, false, NULL},                           \
          {"exactly", NUMBER, false, NULL})                                                        \
    CHECK(TOGETHER, together, ON_CARD, "at some instant all of them are busy",                     \
          {"select", SELECTORS, true, NULL}, CHECK_KEYS_CARRY)                                     \
    CHECK(AFTER, after, ANY_SCHEDULE | ON_CARD,                                                    \
          "the i-th `a` to start begins no earlier than the i-th `b` to end has ended (rank: "     \
          "holds for every right program, whatever the order of issue), or every `a` after "       \
          "every `b`",                                                                             \
          {"a", A_SELECTOR, true, NULL}, {"b", A_SELECTOR, true, NULL},                            \
          {"pair", ONE_OF, false, "rank all"})                                                     \
    CHECK(AHEAD, ahead, ON_CARD,                                                                   \
          "every `a` was issued before the last `b` ended: the host did not wait in between",      \
          {"a", A_SELECTOR, true, NULL}, {"b", A_SELECTOR, true, NULL})                            \
    CHECK(EARLY, early, ON_CARD,                                                                   \
          "there are two or more of them, and each but the first of its stream began before the "  \
          "one before it there had ended (by more than 1% of that one)",                           \
          {"select", A_SELECTOR, true, NULL})                                                      \
    CHECK(CAUSED, caused, ON_CARD,                                                                 \
          "each `a` (`which = first`: the first to start) waited for a cause of this kind or no "  \
          "wait was needed",                                                                       \
          {"a", A_SELECTOR, true, NULL}, {"cause", ONE_OF, true, CHECK_CAUSES},                    \
          {"which", ONE_OF, false, "first"})                                                       \
    CHECK(NONE, none, ANY_SCHEDULE | ON_CARD,                                                      \
          "the set is empty; `between`: of calls, those count that the program made after the "    \
          "first of "                                                                              \
          "these operations was asked for and before the last was",                                \
          {"select", SELECTORS, true, NULL}, {"between", A_SELECTOR, false, NULL})                 \
    CHECK(COUNT, count, ANY_SCHEDULE | ON_CARD | COMPARES, "its size compares so",                 \
          {"select", SELECTORS, true, NULL}, CHECK_KEYS_COMPARE)                                   \
    CHECK(MAKESPAN, makespan, ON_CARD | COMPARES | EITHER,                                         \
          "last end minus first start compares so, in units (within 1%; 10% on models that are "   \
          "not exact); `zero`, `record`: points by how short it is",                               \
          {"select", SELECTORS, false, NULL}, {"range", WORD, false, NULL}, CHECK_KEYS_COMPARE,    \
          CHECK_KEYS_SCORE, CHECK_KEYS_CARRY)                                                      \
    CHECK(LONGEST, longest, ON_CARD | COMPARES,                                                    \
          "the longest of them compares so, in units, as a makespan does: of a range that is "     \
          "open from a request to its answer, the worst latency; `zero`, `record`: points by "     \
          "how short it is",                                                                       \
          {"select", SELECTORS, true, NULL}, CHECK_KEYS_COMPARE, CHECK_KEYS_SCORE)                 \
    CHECK(                                                                                         \
        BUSY, busy, ON_CARD | COMPARES,                                                            \
        "the part (0 to 1) of the time from their first start to their last end in which one of "  \
        "them is running compares so (within 1%; more on models that are not exact)",              \
        {"select", SELECTORS, true, NULL}, CHECK_KEYS_COMPARE)                                     \
    CHECK(STREAMS, streams, ANY_SCHEDULE | ON_CARD,                                                \
          "all ops of a group (`sel, sel / sel`) are in one stream, and different groups are in "  \
          "different streams",                                                                     \
          {"groups", GROUPS, true, NULL})                                                          \
    CHECK(DISTINCT, distinct, ANY_SCHEDULE | ON_CARD | COMPARES,                                   \
          "the number of distinct streams, or of places in memory (an allocation and where in "    \
          "it; memory that a pool gives out again is one place) that the ops read (`from`), "      \
          "write (`to`), or both (`buffer`), or of bytes that they write (`written`) compares so", \
          {"select", SELECTORS, true, NULL},                                                       \
          {"of", ONE_OF, true, "stream from to buffer written"}, CHECK_KEYS_COMPARE,               \
          CHECK_KEYS_CARRY)                                                                        \
    CHECK(FLAVOUR, flavour, ANY_SCHEDULE | ON_CARD | COMPARES,                                     \
          "every op's stream has / has not this flavour", {"select", SELECTORS, true, NULL},       \
          {"is", ONE_OF, false, CHECK_FLAVOURS}, {"not", ONE_OF, false, CHECK_FLAVOURS})           \
    CHECK(                                                                                         \
        MEMORY, memory, ANY_SCHEDULE | ON_CARD,                                                    \
        "the host end of every copy is memory of this kind (registered memory counts as pinned)",  \
        {"select", SELECTORS, true, NULL}, {"end", ONE_OF, false, "host"},                         \
        {"is", ONE_OF, true, "pinned pageable managed registered"}, CHECK_KEYS_CARRY)              \
    CHECK(ASYNC, async, ON_CARD, "the call that issued each op returned before the op ended",      \
          {"select", SELECTORS, true, NULL})                                                       \
    CHECK(FREED, freed, ANY_SCHEDULE | ON_CARD,                                                    \
          "everything of that kind allocated by a call of the student's code was freed "           \
          "again, with the call that belongs to it; what was registered (pinned, too), "           \
          "unregistered",                                                                          \
          {"memory", ONE_OF, true, "pinned device"})                                               \
    CHECK(BALANCED, balanced, ANY_SCHEDULE | ON_CARD,                                              \
          "as many successful calls of the pattern `destroy` as of `create`",                      \
          {"create", WORD, true, NULL}, {"destroy", WORD, true, NULL})                             \
    CHECK(CHAIN, chain, ANY_SCHEDULE | ON_CARD,                                                    \
          "the i-th of each (`h2d, kernel, d2h`, `@range` on each) are in one stream and in this " \
          "order",                                                                                 \
          {"select", SELECTORS, true, NULL})                                                       \
    CHECK(                                                                                         \
        ERRORS, errors, ANY_SCHEDULE | ON_CARD,                                                    \
        "no API call returned an error (cudaErrorNotReady is none), and none was made in a host "  \
        "function",                                                                                \
        {0})                                                                                       \
    CHECK(VALUE, value, ON_CARD,                                                                   \
          "a value the harness printed compares so (`within`: a fraction, default 0.01; where "    \
          "times are not exact, 0.1 at least) with what the trace measured",                       \
          {"name", WORD, true, NULL}, {"equals", NUMBER, true, NULL},                              \
          {"within", NUMBER, false, NULL})                                                         \
    CHECK(HAZARDS, hazards, ANY_SCHEDULE,                                                          \
          "the run reported no error (`sim/hazard/HAZARDS.md`; not judged on a real GPU, which "   \
          "cannot tell); `range`: none that concerns work issued in that range; `of`: none of "    \
          "this kind in the student's file, be it a note; `advice` is said in place of a wait "    \
          "that would order two, "                                                                 \
          "where the exercise forbids one",                                                        \
          {"advice", WORD, false, NULL}, {"range", WORD, false, NULL},                             \
          {"of", ONE_OF, false, CHECK_HAZARD_KINDS})                                               \
    CHECK(LEAD, lead, ANY_SCHEDULE | COMPARES | INSIDE,                                            \
          "in every one of these kernels the barriers allow the warps that `ahead` to be so many " \
          "tiles ahead of those that `of`, where a block has `tiles` (not judged on a real GPU)",  \
          {"select", SELECTORS, true, NULL}, {"ahead", ONE_OF, true, "load compute"},              \
          {"of", ONE_OF, true, "compute store"}, {"tiles", NUMBER, true, NULL},                    \
          CHECK_KEYS_COMPARE)                                                                      \
    CHECK(LOADS, loads, ANY_SCHEDULE | COMPARES | INSIDE,                                          \
          "every one of these kernels loads each byte of global memory (`from`: of what these "    \
          "operations write) so often: bytes that its threads ask for, over different ones (not "  \
          "judged on a real GPU)",                                                                 \
          {"select", SELECTORS, true, NULL}, {"from", SELECTORS, false, NULL}, CHECK_KEYS_COMPARE) \
    CHECK(BARRIERS, barriers, ANY_SCHEDULE | COMPARES | INSIDE,                                    \
          "in every one of these kernels a block passes so many barriers of all its threads (the " \
          "most of any block; not judged on a real GPU)",                                          \
          {"select", SELECTORS, true, NULL}, CHECK_KEYS_COMPARE)                                   \
    CHECK(CLUSTERS, clusters, ANY_SCHEDULE | COMPARES | INSIDE,                                    \
          "every one of these kernels was launched in clusters of so many blocks (1: without "     \
          "clusters; not judged on a real GPU)",                                                   \
          {"select", SELECTORS, true, NULL}, CHECK_KEYS_COMPARE)                                   \
    CHECK(INPUTS, inputs, INSIDE,                                                                  \
          "every one of these kernels, in the order in which they start, reads what the one "      \
          "before it writes only when that one has ended (not judged on a real GPU)",              \
          {"select", SELECTORS, true, NULL})

#define CHECK_ENUM(NAME, WORD, FLAGS, PASSES, ...) CHECK_##NAME,
typedef enum CheckKind { CHECK_TABLE(CHECK_ENUM) CHECK_KINDS } CheckKind;

enum { ANY_SCHEDULE = 1, ON_CARD = 2, NO_TRACE = 4, COMPARES = 8, EITHER = 16, INSIDE = 32 };

extern const char *const check_kind_word[CHECK_KINDS];
/* Its flags. */
unsigned check_kind_flags(CheckKind);
/* The rows of EXERCISE.md's table, one after the other; NULL when there are no more. The text is
 * valid until the next call. */
const char *check_kind_line(unsigned n);
#endif
