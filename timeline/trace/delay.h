/* delay.h - what made an operation late, in a few words that are the same in every program in which
 * it is the same: no number, line or name of the program. For counting how many made the same
 * mistake; analysis_explain has the sentence about this one. Pure. */
#ifndef THREELANE_DELAY_H
#define THREELANE_DELAY_H
#include "timeline/trace/trace.h"

enum { DELAY_WORDS = 200 };

/* What its maker did, to follow "who" or "12": "let the host wait in cudaStreamSynchronize, inside
 * the loop". Returns text; NULL when the operation was not late, or the trace does not say why. */
const char *delay_words(const Trace *, uint32_t op, char text[DELAY_WORDS]);

/* What kind of operation that is, with its article: "a kernel", "an H2D copy". */
const char *delay_op_words(const TraceOp *);
#endif
