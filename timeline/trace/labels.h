/* labels.h - what the operations and streams of a range are called on every picture and in every
 * sentence.
 *
 * An operation's label is its kind and number ("H2D0", "K2"), or its given name. In a stream,
 * host-to-device copies begin a batch, and kernels, copies back and everything else up to the next
 * one belong to it. Batches are numbered by the start of their first H2D; its operations inherit
 * the number. Where that would give two operations of a kind the same label (several kernels after
 * one copy), that kind is numbered in order of issue instead. Kernels are K when all of the range's
 * kernels are the same function, else they go by name, with a number where a name repeats. Launches
 * of graphs are G0, G1 ... in order of issue (graphs that are nodes: child0 ..., while0 ... by what
 * they are); their nodes, which no stream puts in order, belong to no batch and are numbered among
 * their kind.
 *
 * Labels are printable UTF-8: control characters and bytes that are not UTF-8 are replaced.
 */
#ifndef THREELANE_LABELS_H
#define THREELANE_LABELS_H
#include "timeline/trace/trace.h"

#define LABELS_NONE UINT32_MAX

typedef struct Labels Labels;

/* Numbers the ops of the range (0: of the whole trace), in time n log n. The trace must outlive the
 * labels. What trace_read_more adds later has labels without numbers. NULL when out of memory. */
Labels *labels_new(const Trace *, uint32_t range);
void labels_free(Labels *);

/* The label; an op outside the range is described instead ("an earlier kernel"). Returns text. */
const char *labels_op(const Labels *, uint32_t op, char *text, size_t text_size);

/* The ops of the range that are work, in order of start (those that never started last), ties by
 * batch, stream, id. */
const uint32_t *labels_order(const Labels *, uint32_t *n);

/* The number in the op's label, or LABELS_NONE when its label has none. */
uint32_t labels_number(const Labels *, uint32_t op);

/* The range these labels are of. */
uint32_t labels_range(const Labels *);

/* "stream 1", "stream 0 (default stream)", or the name it was given. Streams the program created
 * count from 1. Returns text. */
const char *labels_stream(const Labels *, uint32_t stream, char *text, size_t text_size);
/* The number that it has there; 0 for a default stream. */
uint32_t labels_stream_number(const Labels *, uint32_t stream);

/* What an engine's lane is called: "H2D", "GPU1 Kernels" where there are several devices, "GPU0 to
 * 1" for a link; and the lane of work of one class that has no engine. Return text. */
const char *labels_engine(const Trace *, uint32_t engine, char *text, size_t text_size);
const char *labels_class(const Trace *, TraceEngineClass, uint32_t device, char *text,
                         size_t text_size);
#endif
