/* trace.c - reads traces: whole, cut off, still growing, damaged, hostile.
 *
 * The file is read in chunks and parsed line by line; what is kept is proportional to the records
 * really there. An id may leave a gap, but never exceed the number of its line (each element needs
 * a line of its own), so a huge id allocates nothing. References are checked where they are read: a
 * record names only what stands before it. Texts are interned: names and files repeat on every
 * line. Causes and uses are appended as they come and brought together per operation after each
 * read. */
#include "timeline/trace/trace.h"
#include "common/env.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/hash.h"

enum {
    CHUNK_BYTES = 1 << 20, /* read at once */
    LINE_BYTES = 1 << 20,  /* longer lines are skipped */
    METAS = 256,           /* kept; trace_meta looks through all of them */
    PROBES = 32, /* of the table of texts; a text that finds no place is stored unshared */
};

#define MOST_NS (UINT64_C(1) << 62) /* 146 years; sums of two times cannot overflow */
#define MOST_ID (UINT32_MAX - 1)

/* ---- texts ---- */

/* The name of elements that no record described. Its address tells them from elements named "". */
static const char absent[1] = "";

typedef struct Chunk {
    struct Chunk *next;
    char bytes[];
} Chunk;

typedef struct Texts {
    Chunk *chunks;
    char *at;
    size_t room;
    struct Text {
        uint64_t hash;
        const char *text;
    } * table;
    size_t slots, used; /* slots: a power of two, or 0 */
} Texts;

struct TraceReader {
    int fd;        /* -1: nothing more to read */
    uint64_t line; /* lines seen */
    bool skipping; /* inside a line that is too long */
    bool failed;   /* out of memory: nothing more is read */
    char *buffer;
    size_t start, end, size; /* unread bytes are buffer[start..end) */
    char *scratch;
    size_t scratch_size; /* a decoded text */
    Texts texts;
    uint32_t sorted_causes, sorted_uses, sorted_moments; /* so many of them are in order of op */
    uint32_t room_metas, room_devices, room_engines, room_threads, room_streams, room_calls,
        room_allocs, room_events, room_ops, room_causes, room_uses, room_insides, room_moments,
        room_ranges, room_marks, room_notes, room_hazards;
};

static const char *store_text(Texts *t, const char *bytes, size_t length)
{
    if (length + 1 > t->room) {
        size_t size = length + 1 > 65536 - sizeof(Chunk) ? length + 1 : 65536 - sizeof(Chunk);
        Chunk *chunk = malloc(sizeof *chunk + size);
        if (!chunk) return NULL;
        chunk->next = t->chunks;
        t->chunks = chunk;
        t->at = chunk->bytes;
        t->room = size;
    }
    char *text = t->at;
    memcpy(text, bytes, length);
    text[length] = '\0';
    t->at += length + 1;
    t->room -= length + 1;
    return text;
}

static bool grow_table(Texts *t)
{
    size_t slots = t->slots ? 2 * t->slots : 256;
    struct Text *table = calloc(slots, sizeof *table);
    if (!table) return false;
    t->used = 0;
    for (size_t i = 0; i < t->slots; i++) {
        if (!t->table[i].text) continue;
        for (size_t p = 0; p < PROBES; p++) {
            struct Text *slot = &table[(t->table[i].hash + p) & (slots - 1)];
            if (slot->text) continue;
            *slot = t->table[i];
            t->used++;
            break;
        }
    }
    free(t->table);
    t->table = table;
    t->slots = slots;
    return true;
}

/* The one copy of a text without NULs, or NULL when out of memory. */
static const char *intern(Texts *t, const char *bytes, size_t length)
{
    if (length == 0) return "";
    if (2 * t->used >= t->slots && !grow_table(t)) return NULL;
    uint64_t hash = hash_bytes(bytes, length);
    for (size_t p = 0; p < PROBES; p++) {
        struct Text *slot = &t->table[(hash + p) & (t->slots - 1)];
        if (!slot->text) {
            slot->text = store_text(t, bytes, length);
            if (!slot->text) return NULL;
            slot->hash = hash;
            t->used++;
            return slot->text;
        }
        if (slot->hash == hash && strncmp(slot->text, bytes, length) == 0 && !slot->text[length])
            return slot->text;
    }
    return store_text(t, bytes, length);
}

/* ---- fields of a line ---- */

typedef struct Line {
    Trace *trace;
    const char *at, *end; /* at: the next field; NULL when there is none */
    bool ok;              /* false: a field was missing or malformed */
} Line;

static uint64_t bad(Line *l)
{
    l->ok = false;
    l->at = NULL;
    return 0;
}

static inline uint64_t after_number(Line *l, const char *p, uint64_t value)
{
    if (p == l->end) l->at = NULL;
    else if (*p == '\t') l->at = p + 1;
    else return bad(l);
    return value;
}

static inline uint64_t get_u64(Line *l)
{
    const char *p = l->at;
    if (!p || p == l->end || *p < '0' || *p > '9') return bad(l);
    uint64_t value = 0;
    for (; p < l->end && *p >= '0' && *p <= '9'; p++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (unsigned)(*p - '0'), &value))
            return bad(l);
    }
    return after_number(l, p, value);
}

static inline uint32_t get_u32(Line *l)
{
    uint64_t value = get_u64(l);
    return value <= UINT32_MAX ? (uint32_t)value : (uint32_t)bad(l);
}

static int32_t get_i32(Line *l)
{
    bool negative = l->at && l->at < l->end && *l->at == '-';
    if (negative) l->at++;
    uint64_t value = get_u64(l);
    if (value > (uint64_t)INT32_MAX + negative) return (int32_t)bad(l);
    return (int32_t)(negative ? -(int64_t)value : (int64_t)value);
}

static inline uint64_t get_ns(Line *l)
{
    uint64_t ns = get_u64(l);
    if (ns > MOST_NS) return bad(l);
    return ns;
}

static uint64_t get_hex(Line *l)
{
    const char *p = l->at;
    if (!p || p == l->end) return bad(l);
    uint64_t value = 0;
    for (; p < l->end && *p != '\t'; p++) {
        unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a' + 10)
                         : *p >= 'A' && *p <= 'F' ? (unsigned)(*p - 'A' + 10)
                                                  : 16;
        if (digit == 16 || value >> 60) return bad(l);
        value = value << 4 | digit;
    }
    return after_number(l, p, value);
}

/* A reference among 1..n; what is not there is 0. */
static inline uint32_t get_ref(Line *l, uint32_t n)
{
    uint64_t id = get_u64(l);
    return id <= n ? (uint32_t)id : 0;
}

static const char *get_field(Line *l, size_t *length)
{
    const char *field = l->at;
    *length = 0;
    if (!field) {
        bad(l);
        return "";
    }
    const char *tab = memchr(field, '\t', (size_t)(l->end - field));
    *length = (size_t)((tab ? tab : l->end) - field);
    l->at = tab ? tab + 1 : NULL;
    return field;
}

static inline int get_word(Line *l, const char *const *words, int n)
{
    size_t length;
    const char *field = get_field(l, &length);
    for (int i = 0; i < n; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], field, length) == 0) return i;
    }
    bad(l);
    return 0;
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Undoes the escapes of a field; the result is interned. A NUL cannot be part of a C string and
 * becomes '?'. */
static const char *decode(Line *l, const char *field, size_t length)
{
    struct TraceReader *r = l->trace->reader;
    if (!memchr(field, '\\', length) && !memchr(field, '\0', length)) {
        const char *text = intern(&r->texts, field, length);
        if (!text) r->failed = true;
        return text ? text : absent;
    }
    if (r->scratch_size < length) {
        char *bigger = realloc(r->scratch, length);
        if (!bigger) {
            r->failed = true;
            return absent;
        }
        r->scratch = bigger;
        r->scratch_size = length;
    }
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        char c = field[i];
        if (c == '\\') {
            char what = i + 1 < length ? field[i + 1] : '\0';
            int high = i + 3 < length ? hex_value(field[i + 2]) : -1;
            int low = i + 3 < length ? hex_value(field[i + 3]) : -1;
            if (what == '\\' || what == 't' || what == 'n') {
                c = what == 't' ? '\t' : what == 'n' ? '\n' : '\\';
                i += 1;
            } else if (what == 'x' && high >= 0 && low >= 0) {
                c = (char)(high * 16 + low);
                i += 3;
            } else {
                bad(l);
                return absent;
            }
        }
        r->scratch[n++] = c ? c : '?';
    }
    const char *text = intern(&r->texts, r->scratch, n);
    if (!text) r->failed = true;
    return text ? text : absent;
}

static const char *get_text(Line *l)
{
    size_t length;
    const char *field = get_field(l, &length);
    if (!l->ok || (length == 1 && field[0] == '-')) return "";
    return decode(l, field, length);
}

/* A text that older traces do not have. */
static const char *get_more(Line *l) { return l->at ? get_text(l) : ""; }

/* Not in older traces; and a word that nobody knows yet is no reason to lose the record. */
static TraceSide get_side(Line *l)
{
    const char *word = get_more(l);
    for (int i = 1; i < TRACE_SIDES; i++)
        if (!strcmp(word, trace_side_word[i])) return (TraceSide)i;
    return TRACE_SIDE_NONE;
}

static TraceSite get_site(Line *l)
{
    size_t length;
    const char *field = get_field(l, &length);
    TraceSite none = {NULL, 0};
    if (!l->ok || (length == 1 && field[0] == '-')) return none;
    size_t colon = length;
    while (colon > 0 && field[colon - 1] != ':') colon--;
    Line number = {l->trace, field + colon, field + length, true};
    uint32_t line = get_u32(&number);
    if (colon < 2 || !number.ok) {
        bad(l);
        return none;
    }
    TraceSite site = {decode(l, field, colon - 1), line};
    return site;
}

static TraceDim get_dim(Line *l)
{
    size_t length;
    const char *field = get_field(l, &length), *end = field + length;
    TraceDim none = {0, 0, 0};
    if (!l->ok || (length == 1 && field[0] == '-')) return none;
    uint32_t value[3];
    for (int i = 0; i < 3; i++) {
        uint64_t sum = 0;
        const char *first = field;
        for (; field < end && *field >= '0' && *field <= '9' && sum <= UINT32_MAX; field++) {
            sum = 10 * sum + (unsigned)(*field - '0');
        }
        if (field == first || sum > UINT32_MAX ||
            (i < 2 ? field == end || *field++ != ',' : field != end)) {
            bad(l);
            return none;
        }
        value[i] = (uint32_t)sum;
    }
    TraceDim dim = {value[0], value[1], value[2]};
    return dim;
}

/* ---- elements ---- */

static const TraceDevice blank_device = {absent};
static const TraceEngine blank_engine = {.class_ = TRACE_ENGINE_COMPUTE, .name = absent};
static const TraceThread blank_thread = {TRACE_THREAD_HOST, absent};
static const TraceStream blank_stream = {.flavour = TRACE_STREAM_BLOCKING,
                                         .name = absent,
                                         .destroyed_ns = TRACE_OPEN_NS};
static const TraceCall blank_call = {.name = absent,
                                     .start_ns = TRACE_OPEN_NS,
                                     .end_ns = TRACE_OPEN_NS};
static const TraceAlloc blank_alloc = {.kind = TRACE_MEM_NONE};
static const TraceEvent blank_event = {0, 0, absent};
static const TraceOp blank_op = {.kind = TRACE_RECORD,
                                 .issued_ns = TRACE_OPEN_NS,
                                 .start_ns = TRACE_OPEN_NS,
                                 .end_ns = TRACE_OPEN_NS,
                                 .name = absent};
static const TraceRange blank_range = {.start_ns = TRACE_OPEN_NS,
                                       .end_ns = TRACE_OPEN_NS,
                                       .name = absent};

/* Makes room for element n. */
static bool reserve(struct TraceReader *r, void **array, uint32_t *room, uint64_t n, size_t size)
{
    if (n < *room) return true;
    uint64_t bigger = *room < 16 ? 16 : *room + (uint64_t)*room / 2;
    if (bigger <= n) bigger = n + 1;
    if (bigger > UINT32_MAX) bigger = UINT32_MAX;
    void *moved = n < MOST_ID ? realloc(*array, bigger * size) : NULL;
    if (!moved) {
        r->failed = true;
        return false;
    }
    *array = moved;
    *room = (uint32_t)bigger;
    return true;
}

/* place_KIND: element id, about to be described; NULL when it is damaged, described already, or
 * more than the file can hold. Elements between the last one and it are blank. */
#define PLACE(kind, Type)                                                             \
    static Type *place_##kind(Line *l, uint64_t id)                                   \
    {                                                                                 \
        Trace *t = l->trace;                                                          \
        if (!l->ok || id == 0 || id > t->reader->line || id >= MOST_ID) return NULL;  \
        if (id <= t->n_##kind##s)                                                     \
            return is_blank_##kind(&t->kind##s[id]) ? &t->kind##s[id] : NULL;         \
        if (!reserve(t->reader, (void **)&t->kind##s, &t->reader->room_##kind##s, id, \
                     sizeof(Type)))                                                   \
            return NULL;                                                              \
        while (t->n_##kind##s < id) t->kind##s[++t->n_##kind##s] = blank_##kind;      \
        return &t->kind##s[id];                                                       \
    }

#define PLACE_NAMED(kind, Type)                                                          \
    static bool is_blank_##kind(const Type *element) { return element->name == absent; } \
    PLACE(kind, Type)

static bool is_blank_alloc(const TraceAlloc *alloc) { return alloc->kind == TRACE_MEM_NONE; }

PLACE_NAMED(device, TraceDevice)
PLACE_NAMED(engine, TraceEngine)
PLACE_NAMED(thread, TraceThread)
PLACE_NAMED(stream, TraceStream)
PLACE_NAMED(call, TraceCall)
PLACE_NAMED(event, TraceEvent)
PLACE_NAMED(op, TraceOp)
PLACE_NAMED(range, TraceRange)
PLACE(alloc, TraceAlloc)

/* An element that a record has described, or NULL. */
#define FIND(l, kind, id)                                      \
    ((l)->ok && (id) > 0 && (id) <= (l)->trace->n_##kind##s && \
             !is_blank_##kind(&(l)->trace->kind##s[id])        \
         ? &(l)->trace->kind##s[id]                            \
         : NULL)

/* add_KIND appends to a kind without ids; NULL when out of memory or the line is damaged. */
#define ADD(kind, Type)                                                                        \
    static Type *add_##kind(Line *l)                                                           \
    {                                                                                          \
        Trace *t = l->trace;                                                                   \
        uint64_t n = (uint64_t)t->n_##kind##s + 1;                                             \
        if (!l->ok || !reserve(t->reader, (void **)&t->kind##s, &t->reader->room_##kind##s, n, \
                               sizeof(Type))) {                                                \
            return NULL;                                                                       \
        }                                                                                      \
        return &t->kind##s[++t->n_##kind##s];                                                  \
    }

ADD(meta, TraceMeta)
ADD(cause, TraceCause)
ADD(use, TraceUse)
ADD(inside, TraceInside)
ADD(moment, TraceMoment)
ADD(mark, TraceMark)
ADD(note, TraceNote)
ADD(hazard, TraceHazard)

static void seen_ns(Trace *t, uint64_t ns)
{
    if (ns > t->last_ns) t->last_ns = ns;
}

/* ---- records: true when the line was understood and kept ---- */

static bool read_meta(Line *l)
{
    TraceMeta meta;
    meta.key = get_text(l);
    meta.value = get_text(l);
    TraceMeta *kept = l->trace->n_metas < METAS ? add_meta(l) : NULL;
    if (kept) *kept = meta;
    return kept;
}

static bool read_device(Line *l)
{
    uint32_t id = get_u32(l);
    TraceDevice device = {get_text(l)}, *kept = place_device(l, id);
    if (kept) *kept = device;
    return kept;
}

static bool read_engine(Line *l)
{
    TraceEngine engine;
    uint32_t id = get_u32(l);
    engine.device = get_ref(l, l->trace->n_devices);
    engine.class_ = (TraceEngineClass)get_word(l, trace_engine_word, TRACE_ENGINE_CLASSES);
    engine.name = get_text(l);
    engine.to = engine.class_ == TRACE_ENGINE_LINK ? get_ref(l, l->trace->n_devices) : 0;
    TraceEngine *kept = place_engine(l, id);
    if (kept) *kept = engine;
    return kept;
}

static bool read_thread(Line *l)
{
    TraceThread thread;
    uint32_t id = get_u32(l);
    thread.role = (TraceThreadRole)get_word(l, trace_thread_word, TRACE_THREAD_ROLES);
    thread.name = get_text(l);
    TraceThread *kept = place_thread(l, id);
    if (kept) *kept = thread;
    return kept;
}

static bool read_stream(Line *l)
{
    TraceStream stream = blank_stream;
    uint32_t id = get_u32(l);
    stream.device = get_ref(l, l->trace->n_devices);
    stream.flavour = (TraceStreamFlavour)get_word(l, trace_stream_word, TRACE_STREAM_FLAVOURS);
    stream.priority = get_i32(l);
    stream.created_ns = get_ns(l);
    stream.site = get_site(l);
    stream.name = get_text(l);
    TraceStream *kept = place_stream(l, id);
    if (!kept) return false;
    *kept = stream;
    seen_ns(l->trace, stream.created_ns);
    return true;
}

static bool read_streamend(Line *l)
{
    uint32_t id = get_u32(l);
    uint64_t ns = get_ns(l);
    TraceSite site = get_site(l);
    TraceStream *stream = FIND(l, stream, id);
    if (!stream || stream->destroyed_ns != TRACE_OPEN_NS) return false;
    stream->destroyed_ns = ns;
    stream->destroyed_site = site;
    seen_ns(l->trace, ns);
    return true;
}

static bool read_name(Line *l)
{
    static const char *const whats[] = {"stream", "thread", "device", "event"};
    int what = get_word(l, whats, 4);
    uint32_t id = get_u32(l);
    const char *name = get_text(l);
    TraceStream *stream = what == 0 ? FIND(l, stream, id) : NULL;
    TraceThread *thread = what == 1 ? FIND(l, thread, id) : NULL;
    TraceDevice *device = what == 2 ? FIND(l, device, id) : NULL;
    TraceEvent *event = what == 3 ? FIND(l, event, id) : NULL;
    if (stream) stream->name = name;
    if (thread) thread->name = name;
    if (device) device->name = name;
    if (event) event->name = name;
    return stream || thread || device || event;
}

static bool read_call(Line *l)
{
    TraceCall call;
    uint32_t id = get_u32(l);
    call.thread = get_ref(l, l->trace->n_threads);
    call.name = get_text(l);
    call.start_ns = get_ns(l);
    call.end_ns = TRACE_OPEN_NS;
    call.result = 0;
    call.site = get_site(l);
    call.by = get_side(l);
    TraceCall *kept = place_call(l, id);
    if (!kept) return false;
    *kept = call;
    seen_ns(l->trace, call.start_ns);
    return true;
}

static bool read_ret(Line *l)
{
    uint32_t id = get_u32(l);
    uint64_t ns = get_ns(l);
    int32_t result = get_i32(l);
    TraceCall *call = FIND(l, call, id);
    if (!call || call->end_ns != TRACE_OPEN_NS || ns < call->start_ns) return false;
    call->end_ns = ns;
    call->result = result;
    seen_ns(l->trace, ns);
    return true;
}

static bool read_alloc(Line *l)
{
    TraceAlloc alloc;
    uint32_t id = get_u32(l);
    alloc.call = get_ref(l, l->trace->n_calls);
    alloc.free_call = 0;
    alloc.kind = (TraceMemory)get_word(l, trace_memory_word, TRACE_MEMORIES);
    alloc.address = get_hex(l);
    alloc.bytes = get_u64(l);
    TraceAlloc *kept = alloc.kind != TRACE_MEM_NONE ? place_alloc(l, id) : NULL;
    if (kept) *kept = alloc;
    return kept;
}

static bool read_free(Line *l)
{
    uint32_t id = get_u32(l), call = get_ref(l, l->trace->n_calls);
    TraceAlloc *alloc = FIND(l, alloc, id);
    if (!alloc || alloc->free_call || !call) return false;
    alloc->free_call = call;
    return true;
}

static bool read_event(Line *l)
{
    uint32_t id = get_u32(l), call = get_ref(l, l->trace->n_calls);
    TraceEvent *kept = place_event(l, id);
    if (!kept) return false;
    kept->call = call;
    kept->end_call = 0;
    kept->name = "";
    return true;
}

static bool read_eventend(Line *l)
{
    uint32_t id = get_u32(l), call = get_ref(l, l->trace->n_calls);
    TraceEvent *event = FIND(l, event, id);
    if (!event || event->end_call || !call) return false;
    event->end_call = call;
    return true;
}

/* Not in older traces, nor of what the host launched. What is not the launch of a graph, or a
 * kernel, before this op is none. */
static uint32_t get_launch(Line *l, uint32_t id)
{
    const Trace *t = l->trace;
    uint32_t launch = l->at ? get_ref(l, t->n_ops) : 0;
    TraceOpKind kind = t->ops[launch < id ? launch : 0].kind;
    return launch < id && (kind == TRACE_GRAPH || kind == TRACE_KERNEL) ? launch : 0;
}

/* Of a node, in traces that say it. */
static void get_made(Line *l, TraceOp *op)
{
    if (!l->at) return;
    op->made = get_site(l);
    op->captured = l->at && strcmp(get_more(l), "captured") == 0;
}

static bool read_op(Line *l)
{
    TraceOp op = blank_op;
    uint32_t id = get_u32(l);
    op.call = get_ref(l, l->trace->n_calls);
    op.kind = (TraceOpKind)get_word(l, trace_op_word, TRACE_OP_KINDS);
    op.device = get_ref(l, l->trace->n_devices);
    op.stream = get_ref(l, l->trace->n_streams);
    op.issued_ns = get_ns(l);
    op.bytes = get_u64(l);
    op.from = (TraceMemory)get_word(l, trace_memory_word, TRACE_MEMORIES);
    op.to = (TraceMemory)get_word(l, trace_memory_word, TRACE_MEMORIES);
    op.grid = get_dim(l);
    op.block = get_dim(l);
    op.shared_bytes = get_u32(l);
    op.event = get_ref(l, l->trace->n_events);
    op.name = get_text(l);
    op.launch = get_launch(l, id);
    get_made(l, &op);
    TraceOp *kept = place_op(l, id);
    if (!kept) return false;
    *kept = op;
    seen_ns(l->trace, op.issued_ns);
    return true;
}

static bool read_uses(Line *l)
{
    static const char *const ways[] = {"r", "w"};
    TraceUse use;
    use.op = get_u32(l);
    use.write = get_word(l, ways, 2) == 1;
    use.alloc = get_ref(l, l->trace->n_allocs);
    use.offset = get_u64(l);
    use.bytes = get_u64(l);
    const TraceOp *op = FIND(l, op, use.op);
    TraceUse *kept = op ? add_use(l) : NULL;
    if (kept) *kept = use;
    return kept;
}

static bool read_inside(Line *l)
{
    TraceInside inside;
    inside.op = get_u32(l);
    inside.kind = (TraceInsideKind)get_word(l, trace_inside_word, TRACE_INSIDE_KINDS);
    inside.alloc = get_ref(l, l->trace->n_allocs);
    inside.n = get_u64(l);
    inside.of = get_u64(l);
    inside.ns = get_ns(l);
    const TraceOp *op = FIND(l, op, inside.op);
    TraceInside *kept = op ? add_inside(l) : NULL;
    if (!kept) return false;
    *kept = inside;
    seen_ns(l->trace, inside.ns);
    return true;
}

static bool read_start(Line *l)
{
    uint32_t id = get_u32(l);
    uint64_t ns = get_ns(l);
    uint32_t engine = get_ref(l, l->trace->n_engines);
    TraceOp *op = FIND(l, op, id);
    if (!op || op->start_ns != TRACE_OPEN_NS) return false;
    op->start_ns = ns;
    op->engine = engine;
    seen_ns(l->trace, ns);
    return true;
}

static bool read_why(Line *l)
{
    TraceCause cause;
    cause.op = get_u32(l);
    cause.kind = (TraceCauseKind)get_word(l, trace_cause_word, TRACE_CAUSE_KINDS);
    cause.by_op = get_ref(l, l->trace->n_ops);
    cause.until_ns = get_ns(l);
    const TraceOp *op = FIND(l, op, cause.op);
    TraceCause *kept = op ? add_cause(l) : NULL;
    if (!kept) return false;
    *kept = cause;
    seen_ns(l->trace, cause.until_ns);
    return true;
}

static bool read_moment(Line *l)
{
    TraceMoment moment;
    moment.op = get_u32(l);
    moment.kind = (TraceMomentKind)get_word(l, trace_moment_word, TRACE_MOMENT_KINDS);
    moment.ns = get_ns(l);
    const TraceOp *op = FIND(l, op, moment.op);
    TraceMoment *kept = op ? add_moment(l) : NULL;
    if (!kept) return false;
    *kept = moment;
    seen_ns(l->trace, moment.ns);
    return true;
}

static bool read_end(Line *l)
{
    uint32_t id = get_u32(l);
    uint64_t ns = get_ns(l);
    TraceOp *op = FIND(l, op, id);
    if (!op || op->end_ns != TRACE_OPEN_NS || op->start_ns == TRACE_OPEN_NS || ns < op->start_ns)
        return false;
    op->end_ns = ns;
    seen_ns(l->trace, ns);
    return true;
}

static bool read_range(Line *l)
{
    const Trace *t = l->trace;
    TraceRange range = blank_range;
    uint32_t id = get_u32(l);
    range.thread = get_ref(l, t->n_threads);
    range.start_ns = get_ns(l);
    range.name = get_text(l);
    range.by = get_side(l);
    range.first_op = t->n_ops + 1;
    range.first_call = t->n_calls + 1;
    range.end_op = range.end_call = range.end_range = UINT32_MAX;
    TraceRange *kept = place_range(l, id);
    if (!kept) return false;
    *kept = range;
    seen_ns(l->trace, range.start_ns);
    return true;
}

static bool read_rangeend(Line *l)
{
    const Trace *t = l->trace;
    uint32_t id = get_u32(l);
    uint64_t ns = get_ns(l);
    TraceRange *range = FIND(l, range, id);
    if (!range || range->end_ns != TRACE_OPEN_NS || ns < range->start_ns) return false;
    range->end_ns = ns;
    range->end_op = t->n_ops + 1;
    range->end_call = t->n_calls + 1;
    range->end_range = t->n_ranges + 1;
    seen_ns(l->trace, ns);
    return true;
}

static bool read_mark(Line *l)
{
    TraceMark mark;
    mark.thread = get_ref(l, l->trace->n_threads);
    mark.ns = get_ns(l);
    mark.name = get_text(l);
    mark.by = get_side(l);
    TraceMark *kept = add_mark(l);
    if (!kept) return false;
    *kept = mark;
    seen_ns(l->trace, mark.ns);
    return true;
}

static bool read_note(Line *l)
{
    TraceNote note;
    note.severity = (TraceSeverity)get_word(l, trace_severity_word, TRACE_SEVERITIES);
    note.ns = get_ns(l);
    note.site = get_site(l);
    note.text = get_text(l);
    note.kind = get_more(l);
    note.by = get_more(l);
    TraceNote *kept = add_note(l);
    if (!kept) return false;
    *kept = note;
    seen_ns(l->trace, note.ns);
    return true;
}

static bool read_hazard(Line *l)
{
    TraceHazard hazard;
    hazard.kind = get_text(l);
    hazard.op_a = get_ref(l, l->trace->n_ops);
    hazard.op_b = get_ref(l, l->trace->n_ops);
    hazard.site_a = get_site(l);
    hazard.site_b = get_site(l);
    hazard.text = get_text(l);
    hazard.note = strcmp(get_more(l), "note") == 0;
    hazard.headline = get_more(l);
    hazard.why = get_more(l);
    hazard.fix = get_more(l);
    TraceHazard *kept = add_hazard(l);
    if (kept) *kept = hazard;
    return kept;
}

static bool read_exit(Line *l)
{
    uint64_t ns = get_ns(l);
    int32_t status = get_i32(l);
    if (!l->ok || l->trace->ended) return false;
    l->trace->ended = true;
    l->trace->exit_status = status;
    seen_ns(l->trace, ns);
    return true;
}

/* The most frequent first: every line looks here. */
static const struct Record {
    const char *word;
    size_t length;
    bool (*read)(Line *);
} records[] = {
#define RECORD(word)                         \
    {                                        \
#word, sizeof #word - 1, read_##word \
    }
    RECORD(call),      RECORD(op),     RECORD(start),  RECORD(why),    RECORD(end),
    RECORD(ret),       RECORD(uses),   RECORD(mark),   RECORD(range),  RECORD(rangeend),
    RECORD(meta),      RECORD(device), RECORD(engine), RECORD(thread), RECORD(stream),
    RECORD(streamend), RECORD(name),   RECORD(alloc),  RECORD(free),   RECORD(event),
    RECORD(eventend),  RECORD(note),   RECORD(hazard), RECORD(exit),   RECORD(inside),
    RECORD(moment),
};

static void skip_line(Trace *t, bool damaged)
{
    t->skipped_lines++;
    if (damaged && !t->damaged_line) t->damaged_line = t->reader->line;
}

static void parse_line(Trace *t, const char *text, size_t length)
{
    if (length > 0 && text[length - 1] == '\r')
        length--; /* the file went through a Windows editor */
    const char *end = text + length, *word_end = text;
    while (word_end < end && *word_end >= 'a' && *word_end <= 'z') word_end++;
    size_t word = (size_t)(word_end - text);
    if (word == 0 || (word_end < end && *word_end != '\t')) {
        skip_line(t, true);
        return;
    }
    Line line = {t, word_end < end ? word_end + 1 : NULL, end, true};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        if (records[i].length != word || memcmp(records[i].word, text, word) != 0) continue;
        if (!records[i].read(&line)) skip_line(t, true);
        return;
    }
    skip_line(t, false);
}

/* ---- header and lines ---- */

typedef enum Header { HEADER_OK, HEADER_NOT_A_TRACE, HEADER_NEWER } Header;

static Header check_header(const char *text, size_t length)
{
    static const char word[] = "threelane\t";
    size_t n = sizeof word - 1, digits = 0;
    if (length <= n || memcmp(text, word, n) != 0) return HEADER_NOT_A_TRACE;
    while (n + digits < length && text[n + digits] >= '0' && text[n + digits] <= '9') digits++;
    char after = n + digits < length ? text[n + digits] : '\t';
    if (digits == 0 || text[n] == '0' || (after != '\t' && after != '\r'))
        return HEADER_NOT_A_TRACE;
    return digits == 1 && text[n] == '0' + TRACE_FORMAT ? HEADER_OK : HEADER_NEWER;
}

/* Parses the whole lines of text; *used is how far they reach. */
static Header parse_lines(Trace *t, const char *text, size_t length, size_t *used)
{
    struct TraceReader *r = t->reader;
    const char *at = text, *end = text + length, *feed;
    while (!r->failed && (feed = memchr(at, '\n', (size_t)(end - at)))) {
        size_t line = (size_t)(feed - at);
        r->line++;
        if (r->line == 1) {
            Header header = r->skipping ? HEADER_NOT_A_TRACE : check_header(at, line);
            if (header != HEADER_OK) return header;
        } else if (r->skipping || line > LINE_BYTES) {
            skip_line(t, true);
        } else {
            parse_line(t, at, line);
        }
        r->skipping = false;
        at = feed + 1;
    }
    *used = (size_t)(at - text);
    return HEADER_OK;
}

/* ---- causes, uses and moments, per operation ---- */

typedef struct Bunch { /* an array whose elements each name an op */
    char *array;
    uint32_t n;
    size_t size, op_at;
    size_t first_at, n_at; /* where TraceOp keeps first and count; NOWHERE: they are looked for */
} Bunch;
#define NOWHERE SIZE_MAX

static uint32_t op_of(const Bunch *b, uint32_t i)
{
    uint32_t op;
    memcpy(&op, b->array + i * b->size + b->op_at, sizeof op);
    return op;
}

/* The first of 1..n whose op is not below op. */
static uint32_t first_of(const Bunch *b, uint32_t n, uint32_t op)
{
    uint32_t low = 1, high = n + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (op_of(b, middle) < op) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Brings elements 1..n into order of op, each op's in the order of the file, and tells the ops
 * where theirs are. 1..*sorted are in order already. False when out of memory (the ops then keep
 * what they had). */
static bool gather(TraceOp *ops, const Bunch *b, uint32_t *sorted)
{
    uint32_t in_order = *sorted, n = b->n;
    if (in_order == n) return true;
    uint32_t from = in_order ? first_of(b, in_order, op_of(b, in_order)) : 1;
    while (in_order < n && (in_order == 0 || op_of(b, in_order + 1) >= op_of(b, in_order)))
        in_order++;
    if (in_order < n) {
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t i = in_order + 1; i <= n; i++) {
            if (op_of(b, i) < least) least = op_of(b, i);
        }
        uint32_t first = first_of(b, in_order, least);
        if (first < from) from = first;
        for (uint32_t i = first; i <= n; i++) {
            if (op_of(b, i) > most) most = op_of(b, i);
        }
        /* counting sort of first..n */
        uint32_t *next = calloc((size_t)(most - least) + 2, sizeof *next);
        char *copy = malloc((size_t)(n - first + 1) * b->size);
        if (!next || !copy) {
            free(next);
            free(copy);
            return false;
        }
        for (uint32_t i = first; i <= n; i++) next[op_of(b, i) - least + 1]++;
        for (uint32_t i = 1; i <= most - least; i++) next[i] += next[i - 1];
        for (uint32_t i = first; i <= n; i++) {
            memcpy(copy + next[op_of(b, i) - least]++ * b->size, b->array + i * b->size, b->size);
        }
        memcpy(b->array + first * b->size, copy, (size_t)(n - first + 1) * b->size);
        free(next);
        free(copy);
    }
    for (uint32_t i = from; i <= n && b->first_at != NOWHERE; i++) {
        char *op = (char *)&ops[op_of(b, i)];
        uint32_t count = 0;
        if (i == from || op_of(b, i) != op_of(b, i - 1)) memcpy(op + b->first_at, &i, sizeof i);
        else memcpy(&count, op + b->n_at, sizeof count);
        count++;
        memcpy(op + b->n_at, &count, sizeof count);
    }
    *sorted = n;
    return true;
}

static Bunch all_moments(const Trace *t)
{
    return (Bunch){(char *)t->moments,        t->n_moments, sizeof *t->moments,
                   offsetof(TraceMoment, op), NOWHERE,      NOWHERE};
}

static void finish(Trace *t)
{
    struct TraceReader *r = t->reader;
    Bunch causes = {(char *)t->causes,
                    t->n_causes,
                    sizeof *t->causes,
                    offsetof(TraceCause, op),
                    offsetof(TraceOp, first_cause),
                    offsetof(TraceOp, n_causes)};
    Bunch uses = {(char *)t->uses,
                  t->n_uses,
                  sizeof *t->uses,
                  offsetof(TraceUse, op),
                  offsetof(TraceOp, first_use),
                  offsetof(TraceOp, n_uses)};
    Bunch moments = all_moments(t);
    if (!gather(t->ops, &causes, &r->sorted_causes) || !gather(t->ops, &uses, &r->sorted_uses) ||
        !gather(t->ops, &moments, &r->sorted_moments))
        r->failed = true;
    t->truncated = !t->ended || r->skipping || r->end > r->start || r->failed;
}

uint64_t trace_moment_ns(const Trace *t, uint32_t op, TraceMomentKind kind)
{
    const Bunch moments = all_moments(t);
    for (uint32_t i = first_of(&moments, t->n_moments, op);
         i <= t->n_moments && t->moments[i].op == op; i++)
        if (t->moments[i].kind == kind) return t->moments[i].ns;
    return TRACE_OPEN_NS;
}

bool trace_add_causes(Trace *t, const TraceCause *causes, uint32_t n)
{
    Line line = {.trace = t, .ok = true};
    for (uint32_t i = 0; i < n; i++) {
        TraceCause *kept = add_cause(&line);
        if (!kept) return false;
        *kept = causes[i];
    }
    finish(t);
    return !t->reader->failed;
}

/* ---- opening, reading on, closing ---- */

static Trace *new_trace(void)
{
    Trace *t = calloc(1, sizeof *t);
    struct TraceReader *r = calloc(1, sizeof *r);
    if (!t || !r) {
        free(t);
        free(r);
        return NULL;
    }
    t->reader = r;
    r->fd = -1;
    /* element 0 of each array: what a reference to nothing finds */
#define BLANK(kind)                                                                  \
    if (reserve(r, (void **)&t->kind##s, &r->room_##kind##s, 0, sizeof *t->kind##s)) \
    t->kind##s[0] = blank_##kind
#define ZERO(kind)                                                                   \
    if (reserve(r, (void **)&t->kind##s, &r->room_##kind##s, 0, sizeof *t->kind##s)) \
    memset(&t->kind##s[0], 0, sizeof *t->kind##s)
    BLANK(device);
    BLANK(engine);
    BLANK(thread);
    BLANK(stream);
    BLANK(call);
    BLANK(alloc);
    BLANK(event);
    BLANK(op);
    BLANK(range);
    ZERO(meta);
    ZERO(cause);
    ZERO(use);
    ZERO(inside);
    ZERO(mark);
    ZERO(note);
    ZERO(hazard);
    if (r->failed) {
        trace_free(t);
        return NULL;
    }
    t->metas[0].key = t->metas[0].value = t->marks[0].name = t->notes[0].text = "";
    t->notes[0].kind = t->notes[0].by = "";
    t->hazards[0] = (TraceHazard){.kind = "", .text = "", .headline = "", .why = "", .fix = ""};
    return t;
}

void trace_free(Trace *t)
{
    if (!t) return;
    struct TraceReader *r = t->reader;
    free(t->metas);
    free(t->devices);
    free(t->engines);
    free(t->threads);
    free(t->streams);
    free(t->calls);
    free(t->allocs);
    free(t->events);
    free(t->ops);
    free(t->causes);
    free(t->uses);
    free(t->insides);
    free(t->moments);
    free(t->ranges);
    free(t->marks);
    free(t->notes);
    free(t->hazards);
    while (r->texts.chunks) {
        Chunk *next = r->texts.chunks->next;
        free(r->texts.chunks);
        r->texts.chunks = next;
    }
    free(r->texts.table);
    free(r->buffer);
    free(r->scratch);
    if (r->fd >= 0) close(r->fd);
    free(r);
    free(t);
}

static void stop_reading(struct TraceReader *r)
{
    if (r->fd >= 0) close(r->fd);
    r->fd = -1;
    free(r->buffer);
    r->buffer = NULL;
}

/* Reads the file to its present end. *error is 0 or an errno; *any tells whether there was
 * anything. */
static Header read_on(Trace *t, int *error, bool *any)
{
    struct TraceReader *r = t->reader;
    *error = 0;
    *any = false;
    while (!r->failed) {
        if (r->start > 0) memmove(r->buffer, r->buffer + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
        if (r->end > LINE_BYTES) { /* a line too long to keep: forget what there is of it */
            r->skipping = true;
            r->end = 0;
        }
        if (r->line == 0 && (r->skipping || r->end > 4096)) return HEADER_NOT_A_TRACE;
        if (r->size - r->end < CHUNK_BYTES) {
            size_t size = r->end + CHUNK_BYTES;
            char *bigger = realloc(r->buffer, size);
            if (!bigger) {
                r->failed = true;
                break;
            }
            r->buffer = bigger;
            r->size = size;
        }
        ssize_t got = read(r->fd, r->buffer + r->end, CHUNK_BYTES);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) *error = errno;
        if (got <= 0) break;
        *any = true;
        r->end += (size_t)got;
        size_t used = 0;
        Header header = parse_lines(t, r->buffer, r->end, &used);
        if (header != HEADER_OK) return header;
        r->start = used;
    }
    return HEADER_OK;
}

#define MAKE_ONE(why) why " (run the program with " ENV_TRACE "=FILE to make a trace)"

static Trace *refuse(Trace *t, char *error, size_t error_size, const char *name, const char *why)
{
    snprintf(error, error_size, "%s: %s", name, why);
    trace_free(t);
    return NULL;
}

static Trace *accept_or_refuse(Trace *t, Header header, bool anything, const char *name,
                               char *error, size_t error_size)
{
    if (t->reader->failed)
        return refuse(t, error, error_size, name, "not enough memory to read this trace");
    if (header == HEADER_NEWER) {
        return refuse(t, error, error_size, name,
                      "this trace was written by a newer Threelane: read it with that one");
    }
    if (!anything)
        return refuse(t, error, error_size, name,
                      "empty: the program that should have written it did not");
    if (header != HEADER_OK || t->reader->line == 0) {
        return refuse(t, error, error_size, name, MAKE_ONE("not a Threelane trace"));
    }
    finish(t);
    if (t->reader->failed)
        return refuse(t, error, error_size, name, "not enough memory to read this trace");
    return t;
}

Trace *trace_read(const char *path, char *error, size_t error_size)
{
    Trace *t = new_trace();
    if (!t) {
        snprintf(error, error_size, "%s: not enough memory to read this trace", path);
        return NULL;
    }
    struct TraceReader *r = t->reader;
    struct stat status;
    r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (r->fd < 0 && errno == ENOENT) {
        return refuse(t, error, error_size, path, MAKE_ONE("no such file"));
    }
    if (r->fd < 0) return refuse(t, error, error_size, path, strerror(errno));
    if (fstat(r->fd, &status) == 0 && S_ISDIR(status.st_mode)) {
        return refuse(t, error, error_size, path, "a directory, not a trace");
    }
    int failure;
    bool any;
    Header header = read_on(t, &failure, &any);
    if (failure && !any) return refuse(t, error, error_size, path, strerror(failure));
    t = accept_or_refuse(t, header, any, path, error, error_size);
    if (t && t->ended) stop_reading(t->reader);
    return t;
}

Trace *trace_parse(const void *text, size_t length, char *error, size_t error_size)
{
    Trace *t = new_trace();
    if (!t) {
        snprintf(error, error_size, "trace: not enough memory");
        return NULL;
    }
    size_t used = 0;
    Header header = length ? parse_lines(t, text, length, &used) : HEADER_OK;
    t = accept_or_refuse(t, header, length > 0, "trace", error, error_size);
    if (t && used < length) t->truncated = true;
    return t;
}

bool trace_read_more(Trace *t)
{
    struct TraceReader *r = t->reader;
    if (r->fd < 0 || r->failed) return false;
    int failure;
    bool any;
    read_on(t, &failure, &any);
    if (any) finish(t);
    if (t->ended) stop_reading(r);
    return any;
}

/* ---- metadata ---- */

const char *trace_meta(const Trace *t, const char *key)
{
    for (uint32_t i = 1; i <= t->n_metas; i++) {
        if (strcmp(t->metas[i].key, key) == 0) return t->metas[i].value;
    }
    return NULL;
}

uint64_t trace_unit_ns(const Trace *t)
{
    if (t->unit_ns) return t->unit_ns;
    const char *text = trace_meta(t, "unit_ns");
    uint64_t value = 0;
    for (; text && *text >= '0' && *text <= '9' && value < MOST_NS / 10; text++) {
        value = 10 * value + (unsigned)(*text - '0');
    }
    return value && text && !*text ? value : 1000000;
}

void trace_set_unit(Trace *t, uint64_t ns, const char *name)
{
    t->unit_ns = ns;
    t->unit_name = name;
}

/* Whether something that happened at ns, numbered id among its kind, happened while the range was
 * open. first and end are the ids of that kind between which the range stands in the file. */
static bool within(const TraceRange *range, uint64_t ns, uint32_t id, uint32_t first, uint32_t end)
{
    if (range->start_ns == TRACE_OPEN_NS || ns == TRACE_OPEN_NS) return false;
    if (ns < range->start_ns || ns > range->end_ns) return false;
    return (ns > range->start_ns && ns < range->end_ns) || (id >= first && id < end);
}

bool trace_in_range(const Trace *t, uint32_t range, uint32_t op)
{
    if (range == 0) return true;
    if (range > t->n_ranges || op == 0 || op > t->n_ops) return false;
    const TraceRange *r = &t->ranges[range];
    return within(r, t->ops[op].issued_ns, op, r->first_op, r->end_op);
}

const char *trace_cuda_call(const char *name)
{
    if (strncmp(name, "cu", 2) != 0) return NULL;
    if (strncmp(name, "cuda", 4) == 0 && name[4]) return name + 4;
    return name[2] >= 'A' && name[2] <= 'Z' ? name + 2 : NULL;
}

bool trace_measured(const Trace *trace)
{
    const char *backend = trace_meta(trace, "backend");
    return backend && strcmp(backend, "cuda") == 0;
}

bool trace_exact(const Trace *trace)
{
    const char *exact = trace_meta(trace, "exact");
    return exact && !strcmp(exact, "1");
}

const char *trace_unit_name(const Trace *t)
{
    if (t->unit_ns) return t->unit_name;
    const char *name = trace_meta(t, "unit_name");
    return name && *name ? name : "ms";
}
