/* question.h - what if? Changes as a person types them, read against the trace of a run.
 *
 *   stream OPS=N       into stream N, as the pictures call it
 *   stream OPS=new     into one of their own
 *   apart OPS          the first operations of each kind into a stream of their own, the second
 *                      ones into another, and so on: a stream per batch
 *   pinned OPS         the host memory of these copies is taken for pinned
 *   async OPS          who asks for these copies does not wait for them
 *   drop-wait WAITS    these waits are left out
 *   add-wait OPS       the host waits for the device after them
 *   times OPS=F        they last F times as long
 *   half OPS           half as long
 *   device MODEL       on another machine
 *   NAME=VALUE         a parameter of the exercise
 *   batches VALUE      ... the one for how many batches there are
 *
 * OPS: labels as in the pictures (H2D1,K1), FILE:LINE, a kind (h2d kernel work ...), all, op:ID.
 * WAITS: FILE:LINE, all, call:ID. Only what was issued in the range counts. */
#ifndef THREELANE_QUESTION_H
#define THREELANE_QUESTION_H
#include "common/text.h"
#include "timeline/trace/trace.h"

enum { QUESTION_PARAMS = 8 };

typedef struct Question {
    Text calls; /* what THREELANE_WHATIF's file says after its first line; empty: nothing */
    Text words; /* "H2D1 in stream 2, h200" */
    char *model;
    struct {
        char *name, *value;
    } params[QUESTION_PARAMS];
    size_t n_params;
} Question;

/* batches: the parameter that `batches` means; NULL: there is none. False and one line when a
 * change is not understood, or is about nothing. question_release in either case. */
bool question_read(Question *, const Trace *, uint32_t range, const char *batches,
                   char *const *words, size_t n_words, char *error, size_t error_size);
void question_release(Question *);
#endif
