/* infer.h - reasons for a trace that has none. A simulator knows why an operation had to wait; what
 * is recorded on real hardware only says when it ran. The same rules, read backwards, tell the
 * reason where the times fit it: the stream's order, an event, the legacy default stream's barrier,
 * a busy copy engine, a full device, the driver's thread for host functions, a host that had not
 * issued it. Where no rule fits, nothing is added: better no reason than a wrong one. */
#ifndef THREELANE_INFER_H
#define THREELANE_INFER_H
#include "timeline/trace/trace.h"

/* Adds causes to the operations of a trace recorded on hardware, and sets trace->inferred, so that
 * what is said of them is marked as inferred. Does nothing to a trace that has causes, or to one of
 * a simulator. Takes n log n time. False when memory is short (the trace then has no causes). Call
 * it when the trace has been read to its end. */
bool infer_causes(Trace *);
#endif
