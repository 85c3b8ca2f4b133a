/* report.h - an exercise's report: its template (report.txt), filled in from a recording. */
#ifndef THREELANE_GRADER_REPORT_H
#define THREELANE_GRADER_REPORT_H
#include "grader/evidence.h"

/* Renders. A field without a value becomes "?". False and one line (report.txt:3: ...) when the template is wrong;
 * the trace may be NULL. */
bool report_render(Report *, const char *template, const ExerciseRun *, const Recording *, char *error,
                   size_t error_size);

/* The report as it is compared: measured numbers of `got` that are within `tolerance` (fraction) of the one at the
 * same place in `expected` are written as there. tolerance 0: the text itself. The caller frees. */
char *report_comparable(const Report *got, const Report *expected, double tolerance);
#endif
