/* capture.h - streams that are captured: what goes into them becomes nodes of a graph.
 *
 * A capture begins in one stream, its origin; a stream that waits for an event which was recorded
 * in a captured one joins it, and has to be joined again (a wait of the origin) before the capture
 * ends in its origin. Each captured stream has a set of nodes that its next node comes after. What
 * a capture cannot keep spoils it: it stays, keeps nothing more, and ends with an error and no
 * graph. The rules are those of the toolkit's header and of SEMANTICS 8.
 *
 * Who breaks a rule is also told so in a line, once for each place in the program.
 */
#ifndef THREELANE_CAPTURE_H
#define THREELANE_CAPTURE_H
#include "sim/graph/graph.h"

typedef struct Capture Capture;

/* graph: NULL: a new one, which is the capture's until it ends. */
cudaError_t capture_begin(Call *, Stream *, Graph *, const GraphEdges *after,
                          enum cudaStreamCaptureMode);
/* *graph is NULL unless it succeeds. */
cudaError_t capture_end(Call *, Stream *, Graph **graph);
/* The stream is about to be destroyed: a capture whose origin it is is over, without a graph. */
void capture_forget_stream(Call *, Stream *);

typedef struct CaptureInfo {
    enum cudaStreamCaptureStatus status;
    unsigned long long id; /* the rest is there while it is active */
    Graph *graph;
    const GraphEdges *after;
} CaptureInfo;
cudaError_t capture_info(const Call *, const Stream *, CaptureInfo *);
/* The next node in the stream comes after these as well, or instead of what it came after. */
cudaError_t capture_after(Call *, Stream *, const GraphEdges *, bool instead);

/* The calling thread's mode (cudaThreadExchangeStreamCaptureMode). */
enum cudaStreamCaptureMode capture_exchange(enum cudaStreamCaptureMode);

/* Is what goes into the stream captured? Into a graph that was there before? */
bool capture_has(const Stream *);
bool capture_is_into(const Stream *);
/* A node of its own kind in a captured stream; takes over the operation (NULL: none). */
cudaError_t capture_node(Call *, const Stream *, const struct cudaGraphNodeParams *, Operation *,
                         GraphNode **);

/* An event is recorded: in a captured stream it stands for the nodes there (true; nothing else is
 * to be done), else for what the stream holds. */
bool capture_record(const Stream *, Event *);
/* A stream waits for an event, where one of the two is captured. *done: nothing else is to be
 * done. */
cudaError_t capture_wait(Call *, Stream *, Event *, bool *done);
/* A call asks for the event, waits for it, or measures with it (which spoils nothing). */
cudaError_t capture_ask_event(Call *, const Event *, bool spoils);
/* A call that cannot be made for a captured stream, whatever the mode; why: for the program. */
cudaError_t capture_refuse(const Call *, const Stream *, const char *why);
#endif
