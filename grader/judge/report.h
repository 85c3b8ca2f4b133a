/* report.h - an exercise's report: its template (report.txt), filled in from a recording. */
#ifndef THREELANE_REPORT_H
#define THREELANE_REPORT_H
#include "grader/judge/evidence.h"

/* Renders. A field without a value becomes "?". False and one line (report.txt:3: ...) when the
 * template is wrong; the trace may be NULL. */
bool report_render(Report *, const char *template, const ExerciseRun *, const Recording *,
                   char *error, size_t error_size);

/* The report as it is compared: without asides. Not exact: measured numbers that are in their range
 * are written as they stand at the same place of the golden text (NULL: of the expected report), so
 * that they are equal to it. The caller frees. */
char *report_comparable(const Report *got, const Report *expected, const char *golden, bool exact);
#endif
