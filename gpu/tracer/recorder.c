/* recorder.c - entries in the order of the program, work joined to them, and both written as a
 * trace.
 *
 * Entries live in chunks that never move. A chunk is given back when everything in it is written
 * and nothing more can come. Work is kept in a queue until the next recorder_write joins it to its
 * entry. */
#include "gpu/tracer/recorder.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/devices.h"
#include "common/hash.h"
#include "gpu/plain_name.h"

enum { CHUNK = 1024, BUCKETS = 1 << 16, TEXTS = 1 << 12, TEXT_BYTES = 4096 };

typedef struct Chunk {
    uint32_t used, finished;
    RecorderEntry entries[CHUNK];
} Chunk;
typedef struct Text {
    struct Text *next;
    char text[];
} Text;
typedef struct Stack {
    void *frames[RECORDER_FRAMES];
    int n;
    bool written;
} Stack;
typedef struct Thread {
    TraceThreadRole role;
    const char *name;
    bool written;
} Thread;
typedef struct Stream {
    uint32_t context, stream, device, id;
    uint64_t last_end_ns; /* of the work that was reported so far */
} Stream;
typedef struct Device {
    uint32_t number, id, engines[4];
    uint32_t links[DEVICES_MOST]; /* by the trace's number of the other device, from 0; 0: none yet
                                   */
    const char *name;
} Device;
typedef struct Handle {
    uint64_t handle, bytes;
    uint32_t id;
} Handle; /* bytes: of an allocation */
typedef struct Note {
    TraceSeverity severity;
    uint64_t ns;
    char *text;
} Note;

/* The members of a growing array, and how many it has room for. */
#define LIST(type)        \
    struct {              \
        type *items;      \
        uint32_t n, room; \
    }

struct Recorder {
    pthread_mutex_t lock;
    uint64_t (*clock)(void);
    uint64_t zero_ns; /* the clock when the trace began */
    /* guarded by the lock */
    LIST(Chunk *) chunks;
    RecorderEntry **by_correlation; /* BUCKETS lists of entries that wait for work */
    RecorderWork *queue, **queue_end;
    Text *texts[TEXTS];
    LIST(Stack) stacks;
    LIST(Thread) threads;
    LIST(Note) notes;
    LIST(Device) names; /* of devices, by the reporter's number */
    uint64_t lost;      /* entries and work for which there was no memory */
    /* used by recorder_write alone */
    uint64_t cursor;            /* entries before it are written */
    LIST(RecorderEntry *) open; /* written, but more is to come */
    LIST(Device) devices;
    LIST(Stream) streams;
    LIST(Handle) events, allocs, ranges;
    uint32_t n_streams, n_engines, n_calls, n_ops, n_events, n_allocs, n_ranges, host_engine;
    uint64_t last_ns, lost_written;
    bool head_written;
};

static bool grow(void *list_items, uint32_t n, uint32_t *room, size_t size)
{
    void **items = list_items;
    if (n < *room) return true;
    uint32_t more = *room ? *room * 2 : 16;
    void *bigger = realloc(*items, more * size);
    if (!bigger) return false;
    *items = bigger;
    *room = more;
    return true;
}
#define GROW(list) grow(&(list).items, (list).n, &(list).room, sizeof *(list).items)

Recorder *recorder_new(uint64_t (*clock)(void))
{
    Recorder *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->by_correlation = calloc(BUCKETS, sizeof *r->by_correlation);
    if (!r->by_correlation) {
        free(r);
        return NULL;
    }
    pthread_mutex_init(&r->lock, NULL);
    r->clock = clock;
    r->zero_ns = clock();
    r->queue_end = &r->queue;
    return r;
}

static void free_works(RecorderWork *work)
{
    while (work) {
        RecorderWork *next = work->next;
        free(work);
        work = next;
    }
}

void recorder_free(Recorder *r)
{
    if (!r) return;
    for (uint32_t i = 0; i < r->chunks.n; i++) {
        for (uint32_t k = 0; r->chunks.items[i] && k < r->chunks.items[i]->used; k++)
            free_works(r->chunks.items[i]->entries[k].works);
        free(r->chunks.items[i]);
    }
    free_works(r->queue);
    for (uint32_t i = 0; i < TEXTS; i++) {
        while (r->texts[i]) {
            Text *next = r->texts[i]->next;
            free(r->texts[i]);
            r->texts[i] = next;
        }
    }
    for (uint32_t i = 0; i < r->notes.n; i++) free(r->notes.items[i].text);
    free(r->chunks.items);
    free(r->by_correlation);
    free(r->stacks.items);
    free(r->threads.items);
    free(r->notes.items);
    free(r->names.items);
    free(r->open.items);
    free(r->devices.items);
    free(r->streams.items);
    free(r->events.items);
    free(r->allocs.items);
    free(r->ranges.items);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* ---- what the program's threads call ---- */

/* With the lock held. */
static const char *text_locked(Recorder *r, const char *text)
{
    size_t length = strnlen(text, TEXT_BYTES);
    Text **slot = &r->texts[hash_bytes(text, length) % TEXTS];
    for (Text *t = *slot; t; t = t->next) {
        if (strncmp(t->text, text, length) == 0 && !t->text[length]) return t->text;
    }
    Text *t = malloc(sizeof *t + length + 1);
    if (!t) return "";
    memcpy(t->text, text, length);
    t->text[length] = '\0';
    t->next = *slot;
    *slot = t;
    return t->text;
}

const char *recorder_text(Recorder *r, const char *text)
{
    if (!text) return "";
    pthread_mutex_lock(&r->lock);
    const char *kept = text_locked(r, text);
    pthread_mutex_unlock(&r->lock);
    return kept;
}

/* With the lock held: the time is taken inside, so that entries are in order of time. */
static RecorderEntry *append_locked(Recorder *r, RecorderWhat what, uint32_t thread,
                                    const char *name)
{
    Chunk *last = r->chunks.n ? r->chunks.items[r->chunks.n - 1] : NULL;
    if (!last || last->used == CHUNK) {
        last = GROW(r->chunks) ? calloc(1, sizeof *last) : NULL;
        if (!last) {
            r->lost++;
            return NULL;
        }
        r->chunks.items[r->chunks.n++] = last;
    }
    RecorderEntry *e = &last->entries[last->used];
    e->what = what;
    e->thread = thread;
    e->name = name;
    e->context = e->stream = e->device = RECORDER_UNKNOWN;
    e->flavour = TRACE_STREAM_BLOCKING;
    e->last_work = &e->works;
    e->chunk = r->chunks.n - 1;
    e->start_ns = e->end_ns = r->clock();
    last->used++;
    return e;
}

RecorderEntry *recorder_enter(Recorder *r, RecorderWhat what, uint32_t thread, const char *name)
{
    pthread_mutex_lock(&r->lock);
    RecorderEntry *e = append_locked(r, what, thread, name);
    pthread_mutex_unlock(&r->lock);
    return e;
}

void recorder_expect(Recorder *r, RecorderEntry *e, uint32_t correlation)
{
    pthread_mutex_lock(&r->lock);
    e->correlation = correlation;
    e->next_same_hash = r->by_correlation[correlation % BUCKETS];
    r->by_correlation[correlation % BUCKETS] = e;
    pthread_mutex_unlock(&r->lock);
}

void recorder_leave(Recorder *r, RecorderEntry *e, int32_t result)
{
    e->end_ns = r->clock();
    e->result = result;
    atomic_store_explicit(&e->returned, true, memory_order_release);
}

void recorder_nvtx(Recorder *r, RecorderWhat what, uint32_t thread, const char *name,
                   uint64_t handle)
{
    pthread_mutex_lock(&r->lock);
    RecorderEntry *e = append_locked(r, what, thread, name ? text_locked(r, name) : "");
    if (e) {
        e->handle = handle;
        atomic_store_explicit(&e->returned, true, memory_order_release);
    }
    pthread_mutex_unlock(&r->lock);
}

void recorder_name_stream(Recorder *r, uint32_t context, uint32_t stream, const char *name)
{
    pthread_mutex_lock(&r->lock);
    RecorderEntry *e = append_locked(r, RECORDER_NAME_STREAM, 0, text_locked(r, name ? name : ""));
    if (e) {
        e->context = context;
        e->stream = stream;
        atomic_store_explicit(&e->returned, true, memory_order_release);
    }
    pthread_mutex_unlock(&r->lock);
}

void recorder_work(Recorder *r, const RecorderWork *work)
{
    RecorderWork *copy = malloc(sizeof *copy);
    pthread_mutex_lock(&r->lock);
    if (copy) {
        *copy = *work;
        copy->next = NULL;
        *r->queue_end = copy;
        r->queue_end = &copy->next;
    } else {
        r->lost++;
    }
    pthread_mutex_unlock(&r->lock);
}

uint32_t recorder_stack(Recorder *r, void *const *frames, int n)
{
    if (n > RECORDER_FRAMES) n = RECORDER_FRAMES;
    if (n <= 0) return 0;
    pthread_mutex_lock(&r->lock);
    uint32_t id = 0;
    /* a program has few places that call CUDA, and goes through them again and again: the latest
     * first */
    for (uint32_t i = r->stacks.n; i > 0 && !id; i--) {
        const Stack *s = &r->stacks.items[i - 1];
        if (s->n == n && memcmp(s->frames, frames, (size_t)n * sizeof *frames) == 0) id = i;
    }
    if (!id && r->stacks.n < 4096 && GROW(r->stacks)) {
        Stack *s = &r->stacks.items[r->stacks.n];
        memset(s, 0, sizeof *s);
        memcpy(s->frames, frames, (size_t)n * sizeof *frames);
        s->n = n;
        id = ++r->stacks.n;
    }
    pthread_mutex_unlock(&r->lock);
    return id;
}

uint32_t recorder_thread(Recorder *r, TraceThreadRole role, const char *name)
{
    pthread_mutex_lock(&r->lock);
    uint32_t id = 0;
    if (GROW(r->threads)) {
        r->threads.items[r->threads.n] = (Thread){role, text_locked(r, name ? name : ""), false};
        id = ++r->threads.n;
    }
    pthread_mutex_unlock(&r->lock);
    return id;
}

void recorder_note(Recorder *r, TraceSeverity severity, const char *text)
{
    char *copy = strdup(text);
    pthread_mutex_lock(&r->lock);
    if (copy && GROW(r->notes)) r->notes.items[r->notes.n++] = (Note){severity, r->clock(), copy};
    else free(copy);
    pthread_mutex_unlock(&r->lock);
}

void recorder_device(Recorder *r, uint32_t number, const char *name)
{
    pthread_mutex_lock(&r->lock);
    if (GROW(r->names))
        r->names.items[r->names.n++] = (Device){.number = number, .name = text_locked(r, name)};
    pthread_mutex_unlock(&r->lock);
}

/* ---- writing: devices, streams, handles ---- */

static uint64_t since_zero(Recorder *r, uint64_t ns)
{
    uint64_t at = ns > r->zero_ns ? ns - r->zero_ns : 0;
    if (at > r->last_ns) r->last_ns = at;
    return at;
}

/* Those before it are made known first: a device has in the trace the number that it has in the
 * program, whichever the program used first. */
static Device *device_of(Recorder *r, TraceWriter *w, uint32_t number)
{
    if (number == RECORDER_UNKNOWN) number = 0;
    while (number > r->devices.n && number < DEVICES_MOST)
        if (!device_of(r, w, r->devices.n)) return NULL;
    for (uint32_t i = 0; i < r->devices.n; i++) {
        if (r->devices.items[i].number == number) return &r->devices.items[i];
    }
    if (!GROW(r->devices)) return NULL;
    Device *d = &r->devices.items[r->devices.n];
    *d = (Device){.number = number, .id = ++r->devices.n, .name = "GPU"};
    pthread_mutex_lock(&r->lock);
    for (uint32_t i = 0; i < r->names.n; i++) {
        if (r->names.items[i].number == number) d->name = r->names.items[i].name;
    }
    pthread_mutex_unlock(&r->lock);
    if (d->id == 1) trace_write_meta(w, "card", d->name);
    trace_write_device(w, d->id, d->name);
    static const struct {
        TraceEngineClass class_;
        const char *name;
    } engines[3] = {{TRACE_ENGINE_H2D, "H2D copy"},
                    {TRACE_ENGINE_COMPUTE, "Compute"},
                    {TRACE_ENGINE_D2H, "D2H copy"}};
    for (int i = 0; i < 3; i++) {
        d->engines[i] = ++r->n_engines;
        trace_write_engine(w, d->engines[i], d->id, engines[i].class_, engines[i].name);
    }
    return d;
}

/* A path for each direction of each pair; making the other device known may move the first. */
static uint32_t link_of(Recorder *r, TraceWriter *w, const RecorderWork *work)
{
    const Device *other = device_of(r, w, work->to_device);
    uint32_t to = other ? other->id : 0;
    Device *d = device_of(r, w, work->device);
    char name[64];
    if (!d || !to || to > DEVICES_MOST) return 0;

    if (!d->links[to - 1]) {
        d->links[to - 1] = ++r->n_engines;
        snprintf(name, sizeof name, "GPU %u to GPU %u", d->id - 1, to - 1);
        trace_write_link(w, d->links[to - 1], d->id, to, name);
    }
    return d->links[to - 1];
}

static uint32_t engine_of(Recorder *r, TraceWriter *w, const RecorderWork *work)
{
    if (work->kind == TRACE_HOSTFN || work->kind == TRACE_H2H) {
        if (!r->host_engine) {
            r->host_engine = ++r->n_engines;
            trace_write_engine(w, r->host_engine, 0, TRACE_ENGINE_HOST, "Host functions");
        }
        return r->host_engine;
    }
    Device *d = device_of(r, w, work->device);
    if (!d) return 0;
    switch (work->kind) {
    case TRACE_H2D: return d->engines[0];
    case TRACE_D2H: return d->engines[2];
    default: break;
    }
    if (work->kind == TRACE_P2P && work->linked && work->to_device != work->device)
        return link_of(r, w, work);
    if (work->kind != TRACE_P2P && !work->on_copy_engine) return d->engines[1];
    if (!d->engines[3]) {
        d->engines[3] = ++r->n_engines;
        trace_write_engine(w, d->engines[3], d->id, TRACE_ENGINE_COPY, "Device copies");
    }
    return d->engines[3];
}

static Stream *stream_of(Recorder *r, uint32_t context, uint32_t stream)
{
    for (uint32_t i = r->streams.n; i > 0; i--) {
        Stream *s = &r->streams.items[i - 1];
        if (s->context == context && s->stream == stream) return s;
    }
    return NULL;
}

static TraceSite stack_site(uint32_t stack, char *text, size_t text_size)
{
    if (!stack) return (TraceSite){NULL, 0};
    snprintf(text, text_size, "stack#%u", stack);
    return (TraceSite){text, 0};
}

/* The trace's id of a stream; made known where it first appears. */
static uint32_t stream_id(Recorder *r, TraceWriter *w, uint32_t context, uint32_t stream,
                          uint32_t device, const RecorderEntry *e)
{
    if (stream == RECORDER_UNKNOWN) return 0;
    Stream *s = stream_of(r, context, stream);
    if (s) return s->id;
    Device *d = device_of(r, w, device);
    if (!d || !GROW(r->streams)) return 0;
    s = &r->streams.items[r->streams.n++];
    *s = (Stream){context, stream, d->id, ++r->n_streams, 0};
    bool created = e && e->what == RECORDER_STREAM_NEW;
    char text[32];
    trace_write_stream(w, s->id, d->id, e ? e->flavour : TRACE_STREAM_BLOCKING,
                       created ? e->priority : 0, created ? since_zero(r, e->end_ns) : 0,
                       stack_site(created ? e->stack : 0, text, sizeof text), "");
    return s->id;
}

/* Handles of events, allocations and open ranges that live. */
static uint32_t find(const Handle *items, uint32_t n, uint64_t handle)
{
    for (uint32_t i = n; i > 0; i--) {
        if (items[i - 1].handle == handle) return items[i - 1].id;
    }
    return 0;
}

static uint32_t drop(Handle *items, uint32_t *n, uint64_t handle)
{
    for (uint32_t i = *n; i > 0; i--) {
        if (items[i - 1].handle != handle) continue;
        uint32_t id = items[i - 1].id;
        memmove(&items[i - 1], &items[i], (size_t)(*n - i) * sizeof *items);
        (*n)--;
        return id;
    }
    return 0;
}
#define ADD(list, handle_, id_) \
    (GROW(list) ? ((list).items[(list).n++] = (Handle){.handle = handle_, .id = id_}, true) : false)

/* The event's id; one that was made out of sight is made known here. */
static uint32_t event_id(Recorder *r, TraceWriter *w, uint64_t handle)
{
    uint32_t id = find(r->events.items, r->events.n, handle);
    if (!id && ADD(r->events, handle, r->n_events + 1)) {
        id = ++r->n_events;
        trace_write_event(w, id, 0);
    }
    return id;
}

/* ---- writing: calls and their work ---- */

/* What stands in the trace for the stream of the call, before its work has been reported. */
static uint32_t entry_stream(Recorder *r, TraceWriter *w, const RecorderEntry *e)
{
    return stream_id(r, w, e->context, e->stream, e->device, e);
}

/* Which bytes an operation reads or writes: of which allocation that lives now, in the program's
 * order. */
static void write_use(Recorder *r, TraceWriter *w, uint32_t op, bool writes, uint64_t address,
                      uint64_t bytes)
{
    enum { LOOK_AT = 4096 }; /* a program has few allocations, or soon many newer ones */
    const Handle *found = NULL;
    for (uint32_t i = r->allocs.n; i > 0 && !found && r->allocs.n - i < LOOK_AT; i--) {
        const Handle *h = &r->allocs.items[i - 1];
        if (address >= h->handle && address - h->handle < h->bytes) found = h;
    }
    if (address)
        trace_write_uses(w, op, writes, found ? found->id : 0,
                         address - (found ? found->handle : 0), bytes);
}

static void write_op(Recorder *r, TraceWriter *w, RecorderEntry *e, const RecorderWork *work)
{
    char plain[1024];
    TraceOp op = {0};
    op.call = e ? e->call_id : 0;
    if (work) {
        uint32_t device = work->device;
        op.kind = work->kind;
        /* a copy between devices is reported in a stream of the driver's own where it was asked
         * for in one of the device that it goes to */
        bool between = e && e->what == RECORDER_OPS && work->kind == TRACE_P2P &&
                       e->stream != RECORDER_UNKNOWN;
        if (e && (work->kind == TRACE_HOSTFN || e->launch_id || between))
            op.stream = entry_stream(r, w, e), device = e->device;
        else op.stream = stream_id(r, w, work->context, work->stream, device, e);
        op.bytes = work->bytes;
        op.from = work->from;
        op.to = work->to;
        op.grid = work->grid;
        op.block = work->block;
        op.shared_bytes = work->shared_bytes;
        op.name = work->name ? work->name : "";
        op.launch = e ? e->launch_id : 0;
    } else {
        op.kind = e->what == RECORDER_OPS            ? e->op
                  : e->what == RECORDER_HOSTFN       ? TRACE_HOSTFN
                  : e->what == RECORDER_GRAPH        ? TRACE_GRAPH
                  : e->what == RECORDER_ALLOC        ? TRACE_ALLOC
                  : e->what == RECORDER_FREE         ? TRACE_FREE
                  : e->what == RECORDER_EVENT_RECORD ? TRACE_RECORD
                                                     : TRACE_WAIT;
        op.stream = entry_stream(r, w, e);
        op.bytes = e->bytes;
        op.grid = e->grid;
        op.block = e->block;
        op.shared_bytes = e->shared_bytes;
        op.name = e->symbol ? e->symbol : "";
        if (e->what == RECORDER_EVENT_RECORD || e->what == RECORDER_EVENT_WAIT) {
            op.event = event_id(r, w, e->handle);
            op.bytes = 0;
        }
    }
    if (op.kind == TRACE_KERNEL) op.name = plain_name(op.name, plain, sizeof plain);
    if (op.stream && op.stream <= r->streams.n) op.device = r->streams.items[op.stream - 1].device;
    op.issued_ns = e ? since_zero(r, e->start_ns) : since_zero(r, work->start_ns);
    trace_write_op(w, ++r->n_ops, &op);
    if (!work && e) e->op_id = r->n_ops;
    if (e && e->what == RECORDER_OPS && (op.kind <= TRACE_P2P || op.kind == TRACE_MEMSET)) {
        write_use(r, w, r->n_ops, false, e->from, op.bytes);
        write_use(r, w, r->n_ops, true, e->to, op.bytes);
    }
}

static void write_start(Recorder *r, TraceWriter *w, uint32_t op, const RecorderWork *work)
{
    uint32_t engine = engine_of(r, w, work);
    if (work->start_ns) trace_write_start(w, op, since_zero(r, work->start_ns), engine);
}

static void write_end(Recorder *r, TraceWriter *w, uint32_t op, const RecorderWork *work)
{
    uint64_t ns = work->end_ns > work->start_ns ? work->end_ns : work->start_ns;
    /* without a start the reporter does not know when it ran */
    if (work->start_ns && work->end_ns) trace_write_end(w, op, since_zero(r, ns));
}

static void write_times(Recorder *r, TraceWriter *w, uint32_t op, const RecorderWork *work)
{
    write_start(r, w, op, work);
    write_end(r, w, op, work);
}

static void note_end(Recorder *r, uint32_t context, uint32_t stream, uint64_t ns)
{
    Stream *s = stream_of(r, context, stream);
    if (s && ns > s->last_end_ns) s->last_end_ns = ns;
}

/* When the entry's work could begin: not before what was in its stream had ended. */
static uint64_t could_begin_ns(Recorder *r, const RecorderEntry *e)
{
    const Stream *s = stream_of(r, e->context, e->stream);
    return s && s->last_end_ns > e->start_ns ? s->last_end_ns : e->start_ns;
}

/* Without access to each other's memory, a copy between devices goes through the host, and what is
 * reported are its two halves: out of the one, into the other. In the trace it is the one copy that
 * was asked for, on the engine that brings it out. True: that was a half. */
static bool write_half(Recorder *r, TraceWriter *w, RecorderEntry *e, const RecorderWork *half)
{
    enum { HOST_PATH_MOST = 128 }; /* bytes a ns: no way to the host carries as many */
    bool out = half->kind == TRACE_D2H, in = half->kind == TRACE_H2D;
    bool between = half->from == TRACE_MEM_DEVICE && half->to == TRACE_MEM_DEVICE;
    if (e->what != RECORDER_OPS || !between || (!out && !in)) return false;

    if (!e->op_id) {
        RecorderWork whole = *half;
        whole.kind = TRACE_P2P;
        write_op(r, w, e, &whole);
        e->op_id = r->n_ops;
    }
    if (!e->halfway) {
        /* of a large one only the last piece is reported: it began when it could */
        RecorderWork first = *half;
        uint64_t ns = half->end_ns > half->start_ns ? half->end_ns - half->start_ns : 0;
        uint64_t could = could_begin_ns(r, e);
        if (half->bytes > HOST_PATH_MOST * ns && could < half->start_ns) first.start_ns = could;
        write_start(r, w, e->op_id, &first);
    }
    e->halfway = true;
    if (out) return true;

    write_end(r, w, e->op_id, half);
    note_end(r, e->context, e->stream, half->end_ns);
    e->op_id = 0;
    e->finished = true;

    return true;
}

/* Of a launch's nodes, whose reports come in no order and in several pieces. */
static void note_node(Recorder *r, TraceWriter *w, RecorderEntry *e, const RecorderWork *node)
{
    if (!e->launch_id || !node->start_ns) return;
    if (!e->nodes_end_ns) trace_write_start(w, e->launch_id, since_zero(r, node->start_ns), 0);
    if (node->start_ns > e->nodes_end_ns) e->nodes_end_ns = node->start_ns;
    if (node->end_ns > e->nodes_end_ns) e->nodes_end_ns = node->end_ns;
    e->told_ns = r->clock();
}

static void write_works(Recorder *r, TraceWriter *w, RecorderEntry *e)
{
    while (e->works) {
        RecorderWork *work = e->works;
        e->works = work->next;
        if (write_half(r, w, e, work)) {
            free(work);
            continue;
        }
        uint32_t op = e->op_id;
        e->op_id = 0;
        if (!op) {
            /* the engine is made known before the op, so that its start can follow at once */
            write_op(r, w, e, work);
            op = r->n_ops;
        }
        write_times(r, w, op, work);
        note_end(r, work->context, work->stream, work->end_ns);
        note_node(r, w, e, work);
        e->finished = true;
        free(work);
    }
    e->last_work = &e->works;
}

static void write_stack(Recorder *r, TraceWriter *w, uint32_t stack, RecorderModuleOf module_of)
{
    Stack s = {.n = 0, .written = true};
    pthread_mutex_lock(&r->lock);
    if (stack && stack <= r->stacks.n && !r->stacks.items[stack - 1].written) {
        s = r->stacks.items[stack - 1];
        r->stacks.items[stack - 1].written = true;
    }
    pthread_mutex_unlock(&r->lock);
    if (s.written) return;
    for (int i = 0; i < s.n; i++) {
        const char *file;
        uint64_t offset;
        if (!module_of || !module_of(s.frames[i], &file, &offset)) continue;
        /* a return address is behind the call: one byte back is inside it */
        trace_write_frame(w, stack, offset - 1, file);
    }
}

static void write_thread(Recorder *r, TraceWriter *w, uint32_t thread)
{
    Thread t = {.written = true};
    pthread_mutex_lock(&r->lock);
    if (thread && thread <= r->threads.n) {
        t = r->threads.items[thread - 1];
        r->threads.items[thread - 1].written = true;
    }
    pthread_mutex_unlock(&r->lock);
    if (!t.written) trace_write_thread(w, thread, t.role, t.name);
}

static void write_ret(Recorder *r, TraceWriter *w, RecorderEntry *e)
{
    bool fine = e->result == 0;
    uint32_t id;
    char text[32];
    switch (e->what) {
    case RECORDER_STREAM_NEW:
        if (fine) entry_stream(r, w, e);
        break;
    case RECORDER_STREAM_END: {
        Stream *s = fine ? stream_of(r, e->context, e->stream) : NULL;
        if (s) {
            trace_write_streamend(w, s->id, since_zero(r, e->end_ns),
                                  stack_site(e->stack, text, sizeof text));
            s->stream = RECORDER_UNKNOWN - 1; /* the number may be used again */
        }
        break;
    }
    case RECORDER_EVENT_NEW:
        if (fine && ADD(r->events, e->handle, r->n_events + 1))
            trace_write_event(w, ++r->n_events, e->call_id);
        break;
    case RECORDER_EVENT_END:
        id = fine ? drop(r->events.items, &r->events.n, e->handle) : 0;
        if (id) trace_write_eventend(w, id, e->call_id);
        break;
    case RECORDER_ALLOC:
        if (fine && e->handle && ADD(r->allocs, e->handle, r->n_allocs + 1)) {
            r->allocs.items[r->allocs.n - 1].bytes = e->bytes;
            trace_write_alloc(w, ++r->n_allocs, e->call_id, e->memory, e->handle, e->bytes);
        }
        break;
    case RECORDER_FREE:
        id = fine ? drop(r->allocs.items, &r->allocs.n, e->handle) : 0;
        if (id) trace_write_free(w, id, e->call_id);
        break;
    default: break;
    }
    trace_write_ret(w, e->call_id, since_zero(r, e->end_ns), e->result);
    e->ret_written = true;
}

static bool has_returned(const RecorderEntry *e)
{
    return atomic_load_explicit(&e->returned, memory_order_acquire);
}

/* More may be told about an entry that has been written. */
static bool is_open(const RecorderEntry *e)
{
    if (e->what >= RECORDER_RANGE) return false;
    if (!e->ret_written || e->what == RECORDER_GRAPH) return true;
    return e->expects && e->result == 0 && !e->finished;
}

static void write_entry(Recorder *r, TraceWriter *w, RecorderEntry *e, RecorderModuleOf module_of)
{
    uint64_t ns = since_zero(r, e->start_ns);
    uint32_t id;
    char text[32];
    e->written = true;
    write_thread(r, w, e->thread);
    switch (e->what) {
    case RECORDER_RANGE:
        if (!ADD(r->ranges, e->handle, r->n_ranges + 1)) return;
        trace_write_range(w, ++r->n_ranges, e->thread, ns, e->name, TRACE_SIDE_NONE);
        return;
    case RECORDER_RANGE_END:
        id = drop(r->ranges.items, &r->ranges.n, e->handle);
        if (id) trace_write_rangeend(w, id, ns);
        return;
    case RECORDER_MARK: trace_write_mark(w, e->thread, ns, e->name, TRACE_SIDE_NONE); return;
    case RECORDER_NAME_THREAD:
        if (e->thread) trace_write_name(w, "thread", e->thread, e->name);
        return;
    case RECORDER_NAME_STREAM:
        id = entry_stream(r, w, e);
        if (id) trace_write_name(w, "stream", id, e->name);
        return;
    default: break;
    }
    write_stack(r, w, e->stack, module_of);
    e->call_id = ++r->n_calls;
    trace_write_call(w, e->call_id, e->thread, e->name, ns, stack_site(e->stack, text, sizeof text),
                     TRACE_SIDE_NONE);
    bool ret = has_returned(e);
    if (e->what == RECORDER_GRAPH && e->expects && (!ret || e->result == 0)) {
        write_op(r, w, e, NULL);
        e->launch_id = e->op_id;
        e->op_id = 0;
    }
    if (e->works) write_works(r, w, e);
    else if (!ret || e->result == 0) {
        bool marker = e->what == RECORDER_EVENT_RECORD || e->what == RECORDER_EVENT_WAIT ||
                      e->what == RECORDER_ALLOC || e->what == RECORDER_FREE; /* these two in a
                                                                        stream's order, or else
                                                                        without a stream */
        if (e->expects || (marker && e->stream != RECORDER_UNKNOWN)) {
            if (e->what != RECORDER_GRAPH && e->op != TRACE_OP_KINDS) write_op(r, w, e, NULL);
        }
    }
    if (ret) write_ret(r, w, e);
}

/* ---- the writer's turn ---- */

static void forget(Recorder *r, RecorderEntry *e)
{
    pthread_mutex_lock(&r->lock);
    if (e->correlation) {
        RecorderEntry **at = &r->by_correlation[e->correlation % BUCKETS];
        while (*at && *at != e) at = &(*at)->next_same_hash;
        if (*at) *at = e->next_same_hash;
    }
    Chunk *chunk = r->chunks.items[e->chunk];
    if (++chunk->finished == CHUNK) {
        r->chunks.items[e->chunk] = NULL;
        free(chunk);
    }
    pthread_mutex_unlock(&r->lock);
}

/* Joins what was reported to the calls that asked for it. What belongs to no call becomes an op of
 * its own. */
static void join(Recorder *r, TraceWriter *w)
{
    pthread_mutex_lock(&r->lock);
    RecorderWork *work = r->queue;
    r->queue = NULL;
    r->queue_end = &r->queue;
    RecorderWork *strays = NULL, **last_stray = &strays;
    while (work) {
        RecorderWork *next = work->next;
        RecorderEntry *e = work->entry;
        if (!e && work->correlation) {
            e = r->by_correlation[work->correlation % BUCKETS];
            while (e && e->correlation != work->correlation) e = e->next_same_hash;
        }
        work->next = NULL;
        if (e) {
            /* nodes of a graph are reported in any order */
            RecorderWork **at = &e->works;
            while (*at && (*at)->start_ns <= work->start_ns) at = &(*at)->next;
            work->next = *at;
            *at = work;
        } else {
            *last_stray = work;
            last_stray = &work->next;
        }
        work = next;
    }
    pthread_mutex_unlock(&r->lock);
    while (strays) {
        work = strays;
        strays = work->next;
        write_op(r, w, NULL, work);
        write_times(r, w, r->n_ops, work);
        free(work);
    }
}

static void write_notes(Recorder *r, TraceWriter *w)
{
    pthread_mutex_lock(&r->lock);
    for (uint32_t i = 0; i < r->notes.n; i++) {
        Note *note = &r->notes.items[i];
        trace_write_note(w, &(TraceNote){.severity = note->severity,
                                         .ns = since_zero(r, note->ns),
                                         .text = note->text,
                                         .by = "tracer"});
        free(note->text);
    }
    r->notes.n = 0;
    uint64_t lost = r->lost;
    pthread_mutex_unlock(&r->lock);
    if (lost > r->lost_written) {
        char text[120];
        snprintf(text, sizeof text, "%" PRIu64 " records are missing: there was no memory for them",
                 lost - r->lost_written);
        trace_write_note(w, &(TraceNote){.severity = TRACE_WARNING,
                                         .ns = r->last_ns,
                                         .text = text,
                                         .by = "tracer"});
        r->lost_written = lost;
    }
}

static RecorderEntry *entry_at(Recorder *r, uint64_t index)
{
    pthread_mutex_lock(&r->lock);
    Chunk *chunk = index / CHUNK < r->chunks.n ? r->chunks.items[index / CHUNK] : NULL;
    RecorderEntry *e = chunk && index % CHUNK < chunk->used ? &chunk->entries[index % CHUNK] : NULL;
    pthread_mutex_unlock(&r->lock);
    return e;
}

static bool settled(const RecorderEntry *e, uint64_t now_ns, uint64_t hold_ns)
{
    if (!hold_ns) return true;
    if (now_ns > e->start_ns && now_ns - e->start_ns > hold_ns) return true;
    if (!has_returned(e)) return false;
    return !e->expects || e->result != 0 || e->works;
}

/* A launch has ended when no more of its nodes have been told of for a while. */
static void end_launches(Recorder *r, TraceWriter *w, uint64_t now_ns, uint64_t hold_ns)
{
    for (uint32_t i = 0; i < r->open.n; i++) {
        RecorderEntry *e = r->open.items[i];
        if (!e->launch_id || !e->nodes_end_ns || e->finished_launch) continue;
        if (hold_ns && now_ns <= e->told_ns + hold_ns) continue;
        trace_write_end(w, e->launch_id, since_zero(r, e->nodes_end_ns));
        e->finished_launch = true;
    }
}

void recorder_write(Recorder *r, TraceWriter *w, uint64_t hold_ns, RecorderModuleOf module_of)
{
    join(r, w);
    /* what was written before, and has more to say now */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->open.n; i++) {
        RecorderEntry *e = r->open.items[i];
        if (e->works) write_works(r, w, e);
        if (!e->ret_written && has_returned(e)) write_ret(r, w, e);
        if (is_open(e)) r->open.items[kept++] = e;
        else forget(r, e);
    }
    r->open.n = kept;
    uint64_t now = r->clock();
    for (RecorderEntry *e; (e = entry_at(r, r->cursor)) && settled(e, now, hold_ns); r->cursor++) {
        write_entry(r, w, e, module_of);
        if (!is_open(e)) forget(r, e);
        else if (GROW(r->open)) r->open.items[r->open.n++] = e;
    }
    end_launches(r, w, now, hold_ns);
    write_notes(r, w);
    trace_write_flush(w);
}

void recorder_exit(Recorder *r, TraceWriter *w, int status)
{
    trace_write_exit(w, since_zero(r, r->clock()), status);
}
