/* passed.h - what a pass is told with: the schedule it began with above the one it reached, what
 * was learned, what comes next. */
#ifndef THREELANE_PASSED_H
#define THREELANE_PASSED_H
#include "common/terminal.h"
#include "grader/course/catalogue.h"
#include "grader/judge/summary.h"
#include "timeline/trace/trace.h"

/* The schedule of the first run that failed (Summary.before) above that of this one, to one scale,
 * and the time saved. False, and nothing is drawn, when there is none of the same machine. */
bool passed_schedules(const Terminal *, const Summary *, const Trace *after);

/* What was learned, and the lesson's interview question. Nothing where neither is known. */
void passed_words(const Terminal *, const Catalogue *, const Summary *);
/* Two sources side by side, where they differ marked: "|" replaced, "<" and ">" only in one. For
 * terminals of at least PASSED_BESIDE columns. */
enum { PASSED_BESIDE = 100 };
void passed_beside(const Terminal *, const char *mine, const char *solution);

#endif
