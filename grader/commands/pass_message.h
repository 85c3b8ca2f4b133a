/* pass_message.h - what a pass is told with: the schedule it began with above the one it reached,
 * what was learned, what comes next. */
#ifndef THREELANE_PASS_MESSAGE_H
#define THREELANE_PASS_MESSAGE_H
#include "common/terminal.h"
#include "common/text.h"
#include "grader/course/catalogue.h"
#include "grader/judge/summary.h"
#include "timeline/trace/trace.h"

/* How long what an exercise shows took in two runs; ranges: in each of them, 0 for the whole run.
 */
typedef struct PassLengths {
    uint32_t range_before, range_after;
    uint64_t before_ns, after_ns;
} PassLengths;

/* show: the range, NULL for the whole run. False when they cannot be compared: one of them is not
 * there (NULL), has no such part, or ran on another machine. */
bool pass_message_lengths(const Trace *before, const Trace *after, const char *show, PassLengths *);
/* Adds "12.0 units → 6.0 units"; nothing, and false, when nothing was saved. */
bool pass_message_saved(Text *, const Trace *before, const Trace *after, const PassLengths *,
                        bool utf8);

/* The schedule of the first run that failed (Summary.before) above that of this one, to one scale,
 * and the time saved. False, and nothing is drawn, when there is none of the same machine. */
bool pass_message_schedules(const Terminal *, const Summary *, const Trace *after);

/* What was learned, and the lesson's interview question. Nothing where neither is known. */
void pass_message_words(const Terminal *, const Catalogue *, const Summary *);
/* Two sources side by side, where they differ marked: "|" replaced, "<" and ">" only in one. For
 * terminals of at least PASS_MESSAGE_BESIDE columns. */
enum { PASS_MESSAGE_BESIDE = 100 };
void pass_message_beside(const Terminal *, const char *mine, const char *solution);

#endif
