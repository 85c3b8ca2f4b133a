/* html_more.h - what a page has besides the timeline of its run: answers to what-if questions,
 * asked when the page was made; and an empty schedule to lay out by oneself. */
#ifndef THREELANE_HTML_MORE_H
#define THREELANE_HTML_MORE_H
#include <stdbool.h>
#include <stdio.h>
#include "timeline/trace/trace.h"

enum { HTML_ANSWERS = 10 };

typedef struct HtmlAnswer {
    const char *words; /* the question: "K1 in a stream of its own" */
    const char *times; /* "12.0 units → 9.0 units: 1.33 times as fast" */
    const char *more;  /* new and lost hazards, what went wrong: lines; "" for none */
    const Trace *trace;
    uint32_t range; /* in it: what is asked about; 0: everything */
} HtmlAnswer;

/* The questions, below the timeline; the answers' own timelines stand above it, in <div
 * class="answer" data-answer="0"> (from 0), hidden at first. 0, or -1. */
int html_write_questions(FILE *, const HtmlAnswer *, size_t n);

/* An empty schedule for the operations of the range (0: of all): put them where they are expected,
 * with the mouse or by keys, see what happened and why, take it as the text of predict.txt. Nothing
 * is written where there are more than HTML_TRAY operations, or none, or where they last HTML_TIMES
 * rows or more. open: it is in sight at once. */
enum { HTML_TRAY = 60, HTML_TIMES = 300 };
int html_write_prediction(FILE *, const Trace *, uint32_t range, bool open);

/* Once in a page that has any of them, at the end. */
int html_write_more(FILE *);
/* The same two for who keeps them as files. */
int html_write_more_css(FILE *);
int html_write_more_js(FILE *);
#endif
