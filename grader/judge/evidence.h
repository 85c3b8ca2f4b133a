/* evidence.h - what one run left behind: its trace, the results and values its harness wrote; and
 * the same of the solution. Checks and reports see only this. */
#ifndef THREELANE_EVIDENCE_H
#define THREELANE_EVIDENCE_H
#include <stdbool.h>
#include <stddef.h>
#include "grader/course/exercise.h"
#include "common/text.h"
#include "timeline/trace/trace.h"

typedef struct Dump {
    char *name;
    float *values;
    size_t n;
} Dump;
typedef struct Dumps {
    Dump *items;
    size_t n;
    bool damaged;
} Dumps;
typedef struct Values {
    ExercisePair *items;
    size_t n;
} Values;

/* Parse what harness.h writes. What is damaged or cut off is left out (and marked); never an
 * error. */
void dumps_parse(Dumps *, const char *bytes, size_t length);
void values_parse(Values *, const char *text);
void dumps_release(Dumps *);
void values_release(Values *);
const char *values_find(const Values *, const char *name); /* the last one of that name; NULL when
                                                              there is none */

/* A rendered report, and what its fields became. */
typedef enum ReportFieldType {
    REPORT_TEXT,     /* equal everywhere */
    REPORT_MEASURED, /* a number that depends on the clock */
    REPORT_ASIDE     /* what a real device has to add: no part of what is compared */
} ReportFieldType;
typedef struct ReportField {
    size_t at, length;
    ReportFieldType type;
    double value, from, to; /* measured; the range it may be in, as factors of the number it is
                               compared with */
    bool of_solution;       /* which is the solution's on this machine, not the golden text's */
    bool any;               /* whatever stands here is right: a check says what it may be */
} ReportField;
typedef struct Report {
    Text text;
    ReportField *fields;
    size_t n_fields;
} Report;
void report_release(Report *);

typedef struct Recording {
    Trace *trace; /* NULL when there is none */
    Dumps dumps;
    Values values;
    Report report;
} Recording;
void recording_release(Recording *);

typedef struct Evidence {
    const Exercise *exercise;
    const ExerciseRun *run;
    const char *source; /* the student's file as compiled: sites in the trace name it so */
    bool complete;      /* the program ran to its end */
    bool explored;      /* another legal schedule: its order and times are not the exercise's */
    bool replayed;      /* the recording is the player's: what it printed is not in `output` */
    const char *output; /* what it printed */
    Recording got, expected;
    const char *golden; /* the text that the report must be; NULL: the solution's report */
} Evidence;

/* A length that is judged by how short it is: at `par` it earns all points, from there on the
 * fewer, the nearer it is to `zero`. In the units of the run's model. */
typedef struct CheckScore {
    bool known;
    double got, par, record; /* record: the shortest that anybody is known to have reached; 0: the
                                check says none */
} CheckScore;

/* ---- measures: what reports show and expressions use ---- */

typedef enum MeasureKind {
    MEASURE_UNKNOWN,
    MEASURE_MISSING,
    MEASURE_VALUE,
    MEASURE_WRONG
} MeasureKind;

/* function: units ms us speedup faster gbs bytes count value longest median, async and blocks (1 or
 * 0); arguments as written. MEASURE_MISSING when the range or set is empty, MEASURE_WRONG with a
 * line in error when the arguments make no sense. */
MeasureKind measure(const Recording *, const char *function, const char *arguments, double *value,
                    char *error, size_t error_size);

/* Evaluates an expression of a check over a run: MEASURE_VALUE. Else why: MEASURE_MISSING when a
 * measure in it has no value, which is the program's doing, MEASURE_WRONG for anything else, which
 * is the exercise's. */
MeasureKind evidence_number(const Evidence *, const char *expression, double *value, char *error,
                            size_t error_size);
#endif
