/* capture.c - see capture.h. */
#include "sim/graph/capture.h"
#include "sim/runtime/handle.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Capture {
    unsigned long long id;
    Graph *graph;
    bool own; /* the graph was made for it */
    Stream *origin;
    enum cudaStreamCaptureMode mode;
    uint32_t thread;
    bool spoilt;
    TraceSite begun;
    struct StreamCapture *streams;
    Capture *next;
};

/* What a captured stream is to its capture. */
typedef struct StreamCapture {
    StreamKeeper keeper; /* first */
    Capture *of;
    Stream *stream;
    GraphEdges after;
    struct StreamCapture *next;
} StreamCapture;

/* What an event stands for that was recorded in a captured stream. */
typedef struct EventCapture {
    unsigned long long capture; /* which may be over */
    uint32_t n;
    GraphEdge after[];
} EventCapture;

static Capture *captures;
static unsigned long long n_captures;
static _Thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

static cudaError_t keep(StreamKeeper *, Call *, const Stream *, Operation *);

static StreamCapture *captured(const Stream *stream)
{
    return stream->keeper && stream->keeper->keep == keep ? (StreamCapture *)stream->keeper : NULL;
}

bool capture_has(const Stream *stream) { return captured(stream) != NULL; }
bool capture_is_into(const Stream *stream)
{
    const StreamCapture *s = captured(stream);
    return s && !s->of->own;
}

static bool is_blocking(const Stream *stream)
{
    return stream->flavour == TRACE_STREAM_BLOCKING || stream->flavour == TRACE_STREAM_PER_THREAD;
}

/* ---- what is said ---- */

static const char *name_of(const Stream *stream, char *text, size_t size)
{
    if (stream->flavour == TRACE_STREAM_LEGACY) return "the default stream";
    if (stream->flavour == TRACE_STREAM_PER_THREAD) return "the thread's default stream";
    if (stream->made.file)
        snprintf(text, size, "the stream made at %s:%u", stream->made.file, stream->made.line);
    else snprintf(text, size, "a stream");
    return text;
}

static const char *since(const Capture *capture, char *text, size_t size)
{
    if (!capture->begun.file) return "";
    snprintf(text, size, " (cudaStreamBeginCapture at %s:%u)", capture->begun.file,
             capture->begun.line);
    return text;
}

/* Once for each place in the program. */
static bool is_news(TraceSite site)
{
    enum { PLACES = 256 };
    static TraceSite told[PLACES];
    static unsigned n;
    if (!site.file) return false;
    for (unsigned i = 0; i < n; i++)
        if (told[i].line == site.line && !strcmp(told[i].file, site.file)) return false;
    if (n < PLACES) told[n++] = site;
    return true;
}

static __attribute__((format(printf, 4, 5))) cudaError_t refuse(const Call *call, Capture *capture,
                                                                cudaError_t error,
                                                                const char *format, ...)
{
    char text[600], begun[300];
    bool first = capture && !capture->spoilt;
    if (capture) capture->spoilt = true;
    if (!is_news(call->site)) return error;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    host_warn_of_kind("capture", "gpu", call->site, "%s: %s%s%s", call->name, text,
                      capture ? since(capture, begun, sizeof begun) : "",
                      first ? "; the capture is spoilt: cudaStreamEndCapture will give no graph"
                            : "");
    return error;
}

/* ---- what calls may not do ---- */

static cudaError_t unsafe(Call *call)
{
    bool forbidden = false;
    if (thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
    for (Capture *c = captures; c; c = c->next) {
        bool own = c->thread == host_thread();
        if (c->mode == cudaStreamCaptureModeRelaxed) continue;
        if (!own &&
            (c->mode != cudaStreamCaptureModeGlobal || thread_mode != cudaStreamCaptureModeGlobal))
            continue;
        forbidden = true;
        refuse(call, c, cudaErrorStreamCaptureUnsupported,
               own ? "it happens at once and would be no part of the graph, so that it is not "
                     "allowed between the begin and the end of a capture"
                   : "another thread is capturing in global mode, and no thread may call this "
                     "meanwhile (cudaStreamCaptureModeThreadLocal would allow it)");
    }
    return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

/* The default stream waits for blocking streams, which a graph cannot say. */
static cudaError_t use_legacy(Call *call, const Stream *legacy, bool spoils)
{
    cudaError_t error = cudaSuccess;
    for (Capture *c = captures; c; c = c->next)
        for (StreamCapture *s = c->streams; s; s = s->next) {
            char name[300];
            if (captured(s->stream) != s || !is_blocking(s->stream)) continue;
            if (s->stream->device != legacy->device) continue;
            error = cudaErrorStreamCaptureImplicit;
            if (!spoils) continue;
            refuse(call, c, error,
                   "the default stream would have to wait for %s, which is being captured",
                   name_of(s->stream, name, sizeof name));
        }
    return error;
}

static cudaError_t work(Call *call, const Stream *stream)
{
    StreamCapture *s = captured(stream);
    if (stream->flavour == TRACE_STREAM_LEGACY) return use_legacy(call, stream, true);
    if (!s || !s->of->spoilt) return cudaSuccess;
    return cudaErrorStreamCaptureInvalidated;
}

static cudaError_t ask(Call *call, const Stream *stream)
{
    StreamCapture *s = captured(stream);
    char name[300];
    if (stream->flavour == TRACE_STREAM_LEGACY) {
        cudaError_t error = use_legacy(call, stream, true);
        return error ? error : unsafe(call);
    }
    if (!s) return unsafe(call);
    return refuse(call, s->of, cudaErrorStreamCaptureUnsupported,
                  "nothing runs in %s while it is being captured, so that there is nothing to wait "
                  "for or to ask",
                  name_of(stream, name, sizeof name));
}

static cudaError_t peer(Call *call, const Stream *stream)
{
    StreamCapture *s = captured(stream);
    if (!s) return cudaSuccess;
    return refuse(call, s->of, cudaErrorStreamCaptureUnsupported,
                  "a graph has no node for it; cudaMemcpyAsync with cudaMemcpyDefault does the "
                  "same, by its pointers, and can be captured");
}

static cudaError_t ask_all(Call *call)
{
    cudaError_t error = cudaSuccess;
    for (Capture *c = captures; c; c = c->next)
        error = refuse(call, c, cudaErrorStreamCaptureUnsupported,
                       "it would wait for a stream that is being captured, in which nothing runs");
    return error;
}

/* What fails in a captured stream spoils its capture, whatever the reason. */
static void fails(const Stream *stream)
{
    StreamCapture *s = captured(stream);
    if (s) s->of->spoilt = true;
}

static const CaptureRules rules = {unsafe, work, ask, ask_all, fails, peer};

cudaError_t capture_refuse(const Call *call, const Stream *stream, const char *why)
{
    return refuse(call, captured(stream)->of, cudaErrorStreamCaptureUnsupported, "%s", why);
}

enum cudaStreamCaptureMode capture_exchange(enum cudaStreamCaptureMode mode)
{
    enum cudaStreamCaptureMode before = thread_mode;
    thread_mode = mode;
    return before;
}

/* ---- beginning and ending ---- */

static bool join(Capture *capture, Stream *stream, const GraphEdges *after)
{
    StreamCapture *s = calloc(1, sizeof *s);
    if (!s) return false;
    s->keeper.keep = keep;
    s->of = capture;
    s->stream = stream;
    for (uint32_t i = 0; after && i < after->n; i++)
        if (!edges_add(&s->after, after->items[i].node, &after->items[i].data)) {
            free(s->after.items);
            free(s);
            return false;
        }
    s->next = capture->streams;
    capture->streams = s;
    stream->keeper = &s->keeper;
    return true;
}

cudaError_t capture_begin(Call *call, Stream *stream, Graph *graph, const GraphEdges *after,
                          enum cudaStreamCaptureMode mode)
{
    char name[300];
    if (stream->flavour == TRACE_STREAM_LEGACY)
        return refuse(call, NULL, cudaErrorStreamCaptureUnsupported,
                      "the default stream cannot be captured: take one from cudaStreamCreate");
    if (captured(stream))
        return refuse(call, NULL, cudaErrorIllegalState, "%s is being captured already",
                      name_of(stream, name, sizeof name));
    if (graph && graph->capturing)
        return refuse(call, NULL, cudaErrorIllegalState,
                      "another stream is being captured into that graph");
    Capture *capture = calloc(1, sizeof *capture);
    if (capture) {
        *capture = (Capture){.id = ++n_captures,
                             .graph = graph ? graph : graph_new(call->site),
                             .own = !graph,
                             .origin = stream,
                             .mode = mode,
                             .thread = host_thread(),
                             .begun = call->site,
                             .next = captures};
    }
    if (!capture || !capture->graph || !join(capture, stream, after)) {
        if (capture && !graph) graph_free(capture->graph, call->site);
        free(capture);
        return cudaErrorMemoryAllocation;
    }
    capture->graph->capturing = true;
    captures = capture;
    capture_rules = &rules;
    return cudaSuccess;
}

static void leave(StreamCapture *s)
{
    if (captured(s->stream) == s) s->stream->keeper = NULL;
    free(s->after.items);
    free(s);
}

static void end(Capture *capture)
{
    Capture **link = &captures;
    while (*link != capture) link = &(*link)->next;
    *link = capture->next;
    for (StreamCapture *s = capture->streams, *next; s; s = next) {
        next = s->next;
        leave(s);
    }
    capture->graph->capturing = false;
    free(capture);
    if (!captures) capture_rules = NULL;
}

/* A node that a stream other than the origin would go on behind, and that the origin does not come
 * after; NULL: all are joined. */
static const StreamCapture *unjoined(const Capture *capture, const GraphNode **node)
{
    const StreamCapture *origin = captured(capture->origin);
    for (const StreamCapture *s = capture->streams; s; s = s->next)
        for (uint32_t i = 0; s != origin && i < s->after.n; i++) {
            bool joined = false;
            for (uint32_t k = 0; k < origin->after.n && !joined; k++)
                joined = graph_reaches(s->after.items[i].node, origin->after.items[k].node);
            *node = s->after.items[i].node;
            if (!joined) return s;
        }
    return NULL;
}

cudaError_t capture_end(Call *call, Stream *stream, Graph **graph)
{
    StreamCapture *s = captured(stream);
    Capture *capture = s ? s->of : NULL;
    const GraphNode *node;
    char name[300], other[300];
    cudaError_t error = cudaSuccess;
    *graph = NULL;

    if (!s)
        return refuse(call, NULL, cudaErrorIllegalState, "%s is not being captured",
                      name_of(stream, name, sizeof name));
    if (capture->origin != stream)
        return refuse(call, capture, cudaErrorStreamCaptureUnmatched,
                      "the capture began in %s, and has to end there, not in %s",
                      name_of(capture->origin, name, sizeof name),
                      name_of(stream, other, sizeof other));
    if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != host_thread())
        error = refuse(call, NULL, cudaErrorStreamCaptureWrongThread,
                       "the capture has to end in the thread in which it began; it is over, and "
                       "there is no graph");

    if (!error && capture->spoilt) {
        error = cudaErrorStreamCaptureInvalidated;
    } else if (!error && (s = (StreamCapture *)(uintptr_t)unjoined(capture, &node))) {
        error = cudaErrorStreamCaptureUnjoined;
        refuse(call, NULL, error,
               "%s is still apart: the work of line %u there was forked off and never joined; "
               "record an event behind it and make %s wait for that before the capture ends",
               name_of(s->stream, name, sizeof name), node->site.line,
               name_of(stream, other, sizeof other));
    }
    Graph *got = capture->graph;
    bool own = capture->own;
    end(capture);
    if (!error) *graph = got;
    else if (own) graph_free(got, call->site);
    return error;
}

void capture_forget_stream(Call *call, Stream *stream)
{
    StreamCapture *s = captured(stream);
    Capture *capture = s ? s->of : NULL;
    char name[300];
    if (!s) return;
    if (capture->origin != stream) {
        stream->keeper = NULL; /* what it would have gone on behind has to be joined all the same */
        return;
    }

    refuse(call, capture, cudaSuccess,
           "the capture has to end in %s, which is destroyed before that: it is over, and there "
           "is no graph",
           name_of(stream, name, sizeof name));
    Graph *graph = capture->graph;
    bool own = capture->own;
    end(capture);
    if (own) graph_free(graph, call->site);
}

/* ---- asking, and changing what comes next ---- */

cudaError_t capture_info(const Call *call, const Stream *stream, CaptureInfo *info)
{
    StreamCapture *s = captured(stream);
    *info = (CaptureInfo){.status = cudaStreamCaptureStatusNone};
    if (stream->flavour == TRACE_STREAM_LEGACY)
        return use_legacy((Call *)(uintptr_t)call, stream, false);
    if (!s) return cudaSuccess;
    info->status =
        s->of->spoilt ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    info->id = s->of->id;
    info->graph = s->of->graph;
    info->after = &s->after;
    return cudaSuccess;
}

static cudaError_t come_after(StreamCapture *s, const GraphEdge *items, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!edges_add(&s->after, items[i].node, &items[i].data)) return cudaErrorMemoryAllocation;
    return cudaSuccess;
}

cudaError_t capture_after(Call *call, Stream *stream, const GraphEdges *after, bool instead)
{
    StreamCapture *s = captured(stream);
    (void)call;
    if (!s) return cudaErrorIllegalState;
    if (s->of->spoilt) return cudaErrorStreamCaptureInvalidated;
    if (instead) s->after.n = 0;
    return come_after(s, after->items, after->n);
}

/* ---- nodes ---- */

/* An edge has the trigger of a kernel in it only if both are kernels. */
static bool add(StreamCapture *s, GraphNode *node)
{
    bool kernel = node->params.type == cudaGraphNodeTypeKernel;
    for (uint32_t i = 0; i < s->after.n; i++) {
        const GraphEdge *edge = &s->after.items[i];
        bool kept = kernel || edge->data.type == cudaGraphDependencyTypeDefault;
        if (!graph_link(edge->node, node, kept ? &edge->data : NULL)) return false;
    }
    s->after.n = 0;
    return edges_add(&s->after, node, NULL);
}

cudaError_t capture_node(Call *call, const Stream *stream, const struct cudaGraphNodeParams *params,
                         Operation *operation, GraphNode **to)
{
    StreamCapture *s = captured(stream);
    if (s->of->spoilt) return cudaErrorStreamCaptureInvalidated;
    call_spend(call->costs->graph_capture);
    GraphNode *node = graph_add(s->of->graph, params, operation, call->site);
    if (!node) return cudaErrorMemoryAllocation;
    node->device = stream->device;
    node->captured = true;
    node->operation.captured = true;
    if (to) *to = node;
    return add(s, node) ? cudaSuccess : cudaErrorMemoryAllocation;
}

static enum cudaMemcpyKind direction(TraceOpKind kind)
{
    return kind == TRACE_H2D   ? cudaMemcpyHostToDevice
           : kind == TRACE_D2H ? cudaMemcpyDeviceToHost
           : kind == TRACE_H2H ? cudaMemcpyHostToHost
                               : cudaMemcpyDeviceToDevice;
}

/* One end of a copy of boxes, as its memory has rows and slices. */
static struct cudaPitchedPtr end_of(const void *at, size_t pitch, size_t slice,
                                    const Effect *effect)
{
    size_t bytes = pitch ? pitch : effect->copy.width;
    return (struct cudaPitchedPtr){(void *)(uintptr_t)at, bytes, effect->copy.width,
                                   effect_slices(effect) > 1 ? slice / bytes : effect->copy.height};
}

/* The parameters that a call would have had which adds this operation as a node; false: no such
 * call. */
static bool parameters_of(const Operation *operation, struct cudaGraphNodeParams *params)
{
    const Effect *effect = &operation->effect;
    memset(params, 0, sizeof *params);
    switch (effect->kind) {
    case EFFECT_KERNEL: params->type = cudaGraphNodeTypeKernel; return true;
    case EFFECT_COPY:
        params->type = cudaGraphNodeTypeMemcpy;
        params->memcpy.copyParams =
            (struct cudaMemcpy3DParms){.srcPtr = end_of(effect->copy.from, effect->copy.from_pitch,
                                                        effect->copy.from_slice, effect),
                                       .dstPtr = end_of(effect->copy.to, effect->copy.to_pitch,
                                                        effect->copy.to_slice, effect),
                                       .extent = {effect->copy.width, effect->copy.height,
                                                  effect_slices(effect)},
                                       .kind = direction(operation->kind)};
        return true;
    case EFFECT_SET:
        params->type = cudaGraphNodeTypeMemset;
        params->memset =
            (struct cudaMemsetParamsV2){.dst = effect->set.to,
                                        .pitch = effect->set.pitch,
                                        .value = effect->set.value,
                                        .elementSize = effect->set.element,
                                        .width = effect->set.width / effect->set.element,
                                        .height = effect->set.height};
        return true;
    case EFFECT_FUNCTION:
        params->type = cudaGraphNodeTypeHost;
        params->host = (struct cudaHostNodeParamsV2){effect->function.fn, effect->function.data};
        return effect->function.fn != NULL;
    default: return false;
    }
}

/* An event of a launch's attribute: it stands for that place in the kernel. */
static void keep_event(const Call *call, const Stream *stream, cudaEvent_t handle,
                       cudaGraphDependencyType type, unsigned port)
{
    Event *event = handle ? event_of(call, handle) : NULL;
    if (!event || !capture_record(stream, event) || event->captured->n != 1) return;
    event->captured->after[0].data.type = (unsigned char)type;
    event->captured->after[0].data.from_port = (unsigned char)port;
}

/* What a launch says of the order of kernels is said by edges in a graph. */
static cudaError_t keep_kernel(Call *call, StreamCapture *s,
                               const struct cudaGraphNodeParams *params, Operation *kept)
{
    LaunchAttributes asked = kept->launch;
    kept->launch.overlaps = kept->launch.at_block_start = false;
    kept->launch.programmatic_event = kept->launch.completion_event = NULL;
    for (uint32_t i = 0; asked.overlaps && i < s->after.n; i++) {
        GraphEdge *edge = &s->after.items[i];
        if (edge->node->params.type != cudaGraphNodeTypeKernel) continue;
        edge->data.type = cudaGraphDependencyTypeProgrammatic;
        edge->data.from_port = cudaGraphKernelNodePortProgrammatic;
    }
    cudaError_t error = capture_node(call, s->stream, params, kept, NULL);
    if (error) return error;

    keep_event(call, s->stream, asked.programmatic_event, cudaGraphDependencyTypeProgrammatic,
               asked.at_block_start ? cudaGraphKernelNodePortLaunchCompletion
                                    : cudaGraphKernelNodePortProgrammatic);
    keep_event(call, s->stream, asked.completion_event, cudaGraphDependencyTypeDefault,
               cudaGraphKernelNodePortLaunchCompletion);
    return cudaSuccess;
}

static cudaError_t keep(StreamKeeper *keeper, Call *call, const Stream *stream,
                        Operation *operation)
{
    StreamCapture *s = (StreamCapture *)keeper;
    struct cudaGraphNodeParams params;
    Operation kept;
    if (!parameters_of(operation, &params))
        return refuse(call, s->of, cudaErrorStreamCaptureUnsupported,
                      "it cannot be captured: a graph has no node for it");
    if (!operation_keep(&kept, operation)) return cudaErrorMemoryAllocation;
    if (params.type != cudaGraphNodeTypeKernel)
        return capture_node(call, stream, &params, &kept, NULL);

    kept.launch.own_priority = true;
    kept.launch.priority = stream->priority;
    return keep_kernel(call, s, &params, &kept);
}

/* ---- events ---- */

static Capture *still_there(const EventCapture *event)
{
    for (Capture *c = captures; c; c = c->next)
        if (c->id == event->capture) return c;
    return NULL;
}

bool capture_record(const Stream *stream, Event *event)
{
    StreamCapture *s = captured(stream);
    free(event->captured);
    event->captured = NULL;
    if (!s) return false;
    size_t bytes = s->after.n * sizeof *s->after.items;
    event->captured = malloc(sizeof *event->captured + bytes);
    if (!event->captured)
        host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for captures");
    event->captured->capture = s->of->id;
    event->captured->n = s->after.n;
    if (bytes) memcpy(event->captured->after, s->after.items, bytes);
    return true;
}

cudaError_t capture_ask_event(Call *call, const Event *event, bool spoils)
{
    if (!event->captured) return cudaSuccess;
    Capture *of = still_there(event->captured);
    return refuse(call, spoils ? of : NULL, of ? cudaErrorCapturedEvent : cudaErrorInvalidValue,
                  "the event was last recorded in a stream that was being captured: it stands for "
                  "nodes of the graph, and nothing can be asked of it");
}

cudaError_t capture_wait(Call *call, Stream *stream, Event *event, bool *done)
{
    StreamCapture *s = captured(stream);
    Capture *from = event->captured ? still_there(event->captured) : NULL;
    char name[300];
    *done = true;

    if (!s && !event->captured) {
        *done = false;
        return CAPTURE_RULE(work, call, stream);
    }
    if (s && s->of->spoilt) return cudaErrorStreamCaptureInvalidated;
    if (!event->captured && !event->op) { /* never recorded: there is nothing to wait for */
        *done = false;
        return cudaSuccess;
    }
    if (!from) {
        if (!s)
            return refuse(call, NULL, cudaErrorInvalidValue,
                          "the event was last recorded in a capture that is over: it stands for "
                          "nodes of a graph, and a stream cannot wait for those");
        return refuse(call, s->of, cudaErrorStreamCaptureIsolation,
                      "%s is being captured, and the event stands for work outside of that "
                      "capture: a graph cannot wait for it (record the event in a stream of the "
                      "capture, after its beginning)",
                      name_of(stream, name, sizeof name));
    }
    if (from->spoilt) return cudaErrorStreamCaptureInvalidated;
    if (s && s->of != from) {
        refuse(call, s->of, cudaErrorStreamCaptureMerge,
               "the event belongs to another capture: two captures cannot become one graph");
        from->spoilt = true;
        return cudaErrorStreamCaptureMerge;
    }
    if (s) return come_after(s, event->captured->after, event->captured->n);
    if (stream->flavour == TRACE_STREAM_LEGACY) {
        cudaError_t error = use_legacy(call, stream, true);
        return error ? error
                     : refuse(call, from, cudaErrorStreamCaptureImplicit,
                              "the default stream cannot join a capture");
    }
    GraphEdges after = {event->captured->after, event->captured->n, event->captured->n};
    return join(from, stream, &after) ? cudaSuccess : cudaErrorMemoryAllocation;
}
