/* check_context.h - what the checks' evaluators share: the check at hand, sets of intervals, and
 * words for both. */
#ifndef THREELANE_CHECK_CONTEXT_H
#define THREELANE_CHECK_CONTEXT_H
#include "grader/judge/evidence.h"
#include "common/text.h"
#include "timeline/trace/analysis.h"

enum { PHRASE = 400 };

typedef struct Context {
    const ExerciseCheck *check;
    const Evidence *evidence;
    const Trace *trace;
    Text cause, detail;
    bool broken;    /* cause says what is wrong with the check itself */
    bool absent;    /* something is not there, which of a run that was cut short says nothing */
    Labels *labels; /* of labels_of; made when first needed */
    uint32_t labels_of;
    uint32_t op; /* the operation that the cause is about: the first whose wait is explained,
                    else the first that is named; 0: none */
    bool explained;
    CheckScore score;   /* of a length that earns points by how short it is ... */
    int share;          /* ... and the part of them that one beyond par does, in thousandths */
    const char *within; /* pattern of the range that labels are counted in; NULL: the whole trace */
} Context;

/* An evaluator: true when the check passes, else the context has the cause. */
typedef bool Evaluator(Context *);
#define EVALUATOR(NAME, WORD, ...) Evaluator judge_##WORD;
CHECK_TABLE(EVALUATOR)

/* A key's set, or that of a selector list (all of them together, by start). NULL, with the cause,
 * when the selector is wrong, or when the set is empty and `needed`. Free with
 * analysis_set_free. */
AnalysisSet *context_set(Context *, const char *selectors, bool needed);
/* Sorted by id, which is the order of issue; by end. */
void set_by_issue(AnalysisSet *);
void set_by_end(AnalysisSet *);

/* "is" / "least" / "most" of the check against a value: true when all hold. Else *words is what was
 * wanted ("exactly 6", "at least 2", "at most 6"). Broken expressions set `broken`. */
bool context_compare(Context *, double value, double tolerance, char words[PHRASE]);
bool context_number(Context *, const char *expression, double *value);

/* The keys carry, bytes, at-once and device of a check: true when the data went where it looks. */
bool context_carries(Context *);

/* Words. All return their buffer. */
const char *say_set(const char *selector, double n, char text[PHRASE]); /* "3 H2D copies inside
                                                                           `pipelined`" */
const char *say_one(const char *selector, char text[PHRASE]); /* "an H2D copy inside `pipelined`" */
const char *say_op(Context *, uint32_t op, char text[PHRASE]); /* "H2D1 (ex43.cu:21)" */
const char *say_interval(Context *, const AnalysisInterval *, char text[PHRASE]);
const char *say_call(Context *, uint32_t call, char text[PHRASE]); /* "cudaMalloc (ex43.cu:9)" */
/* The first call that failed: "cudaMalloc (ex43.cu:9) returned error 2 (...)"; NULL when none
 * did. */
const char *say_failed_call(Context *, char text[PHRASE]);
/* The same of those made while a range of that name was open. */
const char *say_failed_call_in(Context *, const char *range, char text[PHRASE]);
/* Is it one of the driver API, whose names the student then knows? */
bool call_of_driver(const Trace *, uint32_t call);
const char *say_stream(Context *, uint32_t stream, char text[PHRASE]);
const char *say_time(Context *, uint64_t ns, char text[PHRASE]); /* "2.0 units" */
/* "t=2.0 units", counted as the picture counts: from the first operation of the marked part spoken
 * of last. */
void say_from(Context *, uint64_t ns); /* moments count in the marked part that is open then */
const char *say_moment(Context *, uint64_t ns, char text[PHRASE]);
const char *say_why(Context *, uint32_t op, char text[PHRASE]); /* why it did not start earlier */
#endif
