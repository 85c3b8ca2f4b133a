/* report.h - an exercise's report: its template (report.txt), filled in from a recording. */
#ifndef THREELANE_REPORT_H
#define THREELANE_REPORT_H
#include "grader/judge/evidence.h"

/* What the exercise's runs left, for fields that name another run ({one-queue: units chains}): a
 * pointer for each of them; NULL: nothing. */
typedef struct ReportRuns {
    const Exercise *exercise;
    const Recording *const *recordings;
} ReportRuns;

/* Renders. A field without a value becomes "?". False and one line (report.txt:3: ...) when the
 * template is wrong; the trace may be NULL. A run that does not exist on a real GPU, since it is on
 * a model of its own, was not measured, and whatever the golden text has there is right. runs:
 * NULL where no other run can be named. */
bool report_render(Report *, const char *template, const ExerciseRun *, const Recording *,
                   const ReportRuns *runs, char *error, size_t error_size);
/* The template has a field of this run, by its name. */
bool report_names_run(const char *template, const char *run);

/* The report as it is compared: without asides. Not exact: measured numbers that are in their range
 * are written as they stand at the same place of the golden text (NULL: of the expected report), so
 * that they are equal to it. The caller frees. */
char *report_comparable(const Report *got, const Report *expected, const char *golden, bool exact);
#endif
