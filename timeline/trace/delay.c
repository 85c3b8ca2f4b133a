/* delay.c - see delay.h. */
#include "timeline/trace/delay.h"
#include <stdio.h>
#include <string.h>
#include "timeline/trace/analysis.h"

const char *delay_op_words(const TraceOp *op)
{
    static const char *const words[TRACE_OP_KINDS] = {
        [TRACE_H2D] = "an H2D copy",     [TRACE_D2H] = "a D2H copy",
        [TRACE_D2D] = "a D2D copy",      [TRACE_H2H] = "an H2H copy",
        [TRACE_P2P] = "a peer copy",     [TRACE_MEMSET] = "a memset",
        [TRACE_KERNEL] = "a kernel",     [TRACE_HOSTFN] = "a host function",
        [TRACE_ALLOC] = "an allocation", [TRACE_FREE] = "a free",
        [TRACE_GRAPH] = "a graph",
    };
    return op->kind < TRACE_OP_KINDS && words[op->kind] ? words[op->kind] : "an operation";
}

/* The same line made the same call more than once. */
static bool in_a_loop(const Trace *t, uint32_t call)
{
    const TraceCall *one = &t->calls[call];
    if (!one->site.file) return false;
    for (uint32_t i = 1; i <= t->n_calls; i++) {
        const TraceCall *other = &t->calls[i];
        if (i != call && other->site.file && other->site.line == one->site.line &&
            !strcmp(other->site.file, one->site.file) && !strcmp(other->name, one->name))
            return true;
    }
    return false;
}

static const char *say_call(const Trace *t, uint32_t call, char text[DELAY_WORDS])
{
    snprintf(text, DELAY_WORDS, "let the host wait in %.80s%s", t->calls[call].name,
             in_a_loop(t, call) ? ", inside the loop" : "");
    return text;
}

/* The host was late: in which call it was for most of that time. */
static const char *say_host(const Trace *t, uint32_t op, char text[DELAY_WORDS])
{
    enum { LOOK_BACK = 10000 };
    const TraceOp *late = &t->ops[op];
    uint64_t most = 0, before = late->call;
    uint32_t inside = 0;

    for (uint32_t looked = 0; before > 1 && looked < LOOK_BACK; looked++) {
        const TraceCall *call = &t->calls[--before];
        if (call->thread != t->calls[late->call].thread || call->end_ns == TRACE_OPEN_NS ||
            call->end_ns > late->issued_ns || call->end_ns < call->start_ns)
            continue;
        if (call->end_ns - call->start_ns <= most) continue;
        most = call->end_ns - call->start_ns;
        inside = (uint32_t)before;
        if (analysis_match_call("cuda*Synchronize", call->name)) break; /* the last such wait */
    }
    if (inside) return say_call(t, inside, text);
    return strcpy(text, "issued the work late");
}

static bool is_default(const Trace *t, uint32_t stream)
{
    return t->streams[stream].flavour == TRACE_STREAM_LEGACY;
}

const char *delay_words(const Trace *t, uint32_t op, char text[DELAY_WORDS])
{
    static const char *const words[TRACE_CAUSE_KINDS] = {
        [TRACE_BY_EVENT] = "let a stream wait for an event that comes later than it must",
        [TRACE_BY_LEGACY] = "put work into the default stream, which waits for the other streams "
                            "and they for it",
        [TRACE_BY_ENGINE] = "issued the work in an order in which one engine holds up the rest",
        [TRACE_BY_ROOM] = "launched a kernel that leaves no room for another beside it",
        [TRACE_BY_GRIDS] = "launched more kernels than run at once",
        [TRACE_BY_QUEUE] = "used more streams than there are hardware queues",
        [TRACE_BY_DRIVER] = "kept the thread that runs host functions busy",
        [TRACE_BY_LATENCY] = "paid a start of the device where none is needed",
        [TRACE_BY_MEMORY] = "let a stream poll memory that is written late",
        [TRACE_BY_POOL] = "took memory from a pool that another stream was still freeing",
        [TRACE_BY_GRAPH] = "gave a graph an edge, or a launch of it an order, that holds work up",
        [TRACE_BY_TRIGGER] = "let a kernel wait for a trigger that comes late",
    };
    const TraceCause *cause = analysis_decisive_cause(t, op);
    uint32_t call;

    if (!cause) return analysis_held(t, op, &call) ? say_call(t, call, text) : NULL;
    switch (cause->kind) {
    case TRACE_BY_HOST: return say_host(t, op, text);
    case TRACE_BY_STREAM:
        return strcpy(text, is_default(t, t->ops[op].stream)
                                ? "put work that could overlap into the default stream"
                                : "put work that could overlap into one stream");
    default: break;
    }
    if (cause->kind >= TRACE_CAUSE_KINDS || !words[cause->kind]) return NULL;
    return strcpy(text, words[cause->kind]);
}
