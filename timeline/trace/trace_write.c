/* trace_write.c - formats the records of FORMAT.md into a buffer, and the buffer into a descriptor.
 *
 * A program of a million operations writes some 200 MB, inside the program's own run time: numbers
 * are formatted by hand, two digits at a time, and nothing is measured twice. The invariant that
 * makes bounds checks rare: after begin() and after every text field at least SLACK bytes of the
 * buffer are free, and what a record writes between two text fields (words, numbers, separators) is
 * always shorter than that. */
#include "timeline/trace/trace_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, SLACK = 1024, TEXT_BYTES = 32 << 10 };

struct TraceWriter {
    char *at;    /* where the next byte goes */
    char *limit; /* beyond this, less than SLACK is free */
    int fd;
    int error; /* errno of the first failed write; everything after it is dropped */
    char buffer[BUFFER_BYTES];
};

static void drain(TraceWriter *w)
{
    const char *from = w->buffer;
    while (from < w->at && !w->error) {
        ssize_t written = write(w->fd, from, (size_t)(w->at - from));
        if (written > 0) {
            from += written;
        } else if (written == 0) {
            w->error = EIO;
        } else if (errno != EINTR) {
            w->error = errno;
        }
    }
    w->at = w->buffer;
}

TraceWriter *trace_write_open(int fd)
{
    TraceWriter *w = malloc(sizeof *w);
    if (!w) return NULL;
    w->at = w->buffer;
    w->limit = w->buffer + BUFFER_BYTES - SLACK;
    w->fd = fd;
    w->error = 0;
    static const char header[] = "threelane\t1\n";
    memcpy(w->at, header, sizeof header - 1);
    w->at += sizeof header - 1;
    return w;
}

void trace_write_flush(TraceWriter *w) { drain(w); }

int trace_write_close(TraceWriter *w)
{
    drain(w);
    /* close may be where a network file system reports that it could not store the data */
    if (close(w->fd) != 0 && !w->error && errno != EINTR) w->error = errno;
    int error = w->error;
    free(w);
    return error;
}

int trace_write_error(const TraceWriter *w) { return w->error; }

/* ---- fields ---- */

static const char two_digits[] = "00010203040506070809101112131415161718192021222324252627282930313"
                                 "23334353637383940414243444546474849"
                                 "50515253545556575859606162636465666768697071727374757677787980818"
                                 "28384858687888990919293949596979899";

static inline char *put_u64(char *at, uint64_t value)
{
    char digits[20], *first = digits + sizeof digits;
    while (value >= 100) {
        uint64_t rest = value / 100;
        first -= 2;
        memcpy(first, two_digits + 2 * (value - 100 * rest), 2);
        value = rest;
    }
    if (value >= 10) {
        first -= 2;
        memcpy(first, two_digits + 2 * value, 2);
    } else {
        *--first = (char)('0' + value);
    }
    size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(at, first, length);
    return at + length;
}

static inline char *put_i64(char *at, int64_t value)
{
    if (value >= 0) return put_u64(at, (uint64_t)value);
    *at++ = '-';
    return put_u64(at, 0 - (uint64_t)value);
}

static char *put_hex(char *at, uint64_t value)
{
    int shift = 60;
    while (shift > 0 && !(value >> shift & 15)) shift -= 4;
    for (; shift >= 0; shift -= 4) *at++ = "0123456789abcdef"[value >> shift & 15];
    return at;
}

/* Words are ours and short. */
static inline char *put_word(char *at, const char *word)
{
    while (*word) *at++ = *word++;
    return at;
}

static inline char *put_from(char *at, const char *const *words, unsigned n, unsigned value)
{
    return put_word(at, value < n ? words[value] : "-");
}

static inline char *tab(char *at)
{
    *at = '\t';
    return at + 1;
}

static inline char *tab_u64(char *at, uint64_t value) { return put_u64(tab(at), value); }

static inline char *begin(TraceWriter *w)
{
    if (w->at > w->limit) drain(w);
    return w->at;
}

static inline void end(TraceWriter *w, char *at)
{
    *at++ = '\n';
    w->at = at;
}

static char *put_escape(char *at, unsigned char byte)
{
    *at++ = '\\';
    switch (byte) {
    case '\\': *at++ = '\\'; break;
    case '\t': *at++ = 't'; break;
    case '\n': *at++ = 'n'; break;
    default:
        *at++ = 'x';
        *at++ = "0123456789abcdef"[byte >> 4];
        *at++ = "0123456789abcdef"[byte & 15];
    }
    return at;
}

/* The bytes of a text, escaped and cut at TEXT_BYTES; keeps the invariant. */
static char *put_escaped(TraceWriter *w, char *at, const char *text)
{
    const unsigned char *from = (const unsigned char *)text;
    for (const unsigned char *cut = from + TEXT_BYTES; *from && from < cut; from++) {
        if (at > w->limit) {
            w->at = at;
            drain(w);
            at = w->at;
        }
        if (*from >= 0x20 && *from != '\\' && *from != 0x7f) *at++ = (char)*from;
        else at = put_escape(at, *from);
    }
    if (at > w->limit) {
        w->at = at;
        drain(w);
        at = w->at;
    }
    return at;
}

static char *tab_text(TraceWriter *w, char *at, const char *text)
{
    at = tab(at);
    if (!text || !text[0]) return put_word(at, "-");
    if (text[0] == '-' && !text[1]) return put_word(at, "\\x2d");
    return put_escaped(w, at, text);
}

static char *tab_site(TraceWriter *w, char *at, TraceSite site)
{
    at = tab(at);
    if (!site.file || !site.file[0]) return put_word(at, "-");
    at = put_escaped(w, at, site.file);
    *at++ = ':';
    return put_u64(at, site.line);
}

static char *tab_dim(char *at, TraceDim dim)
{
    at = tab(at);
    if (!dim.x) return put_word(at, "-");
    at = put_u64(at, dim.x);
    *at++ = ',';
    at = put_u64(at, dim.y);
    *at++ = ',';
    return put_u64(at, dim.z);
}

static char *tab_memory(char *at, TraceMemory memory)
{
    return put_from(tab(at), trace_memory_word, TRACE_MEMORIES, memory);
}

/* The last field of a record, left out where nobody knows. */
static inline char *tab_side(char *at, TraceSide by)
{
    return by ? put_from(tab(at), trace_side_word, TRACE_SIDES, by) : at;
}

/* ---- records ---- */

void trace_write_meta(TraceWriter *w, const char *key, const char *value)
{
    char *at = tab_text(w, put_word(begin(w), "meta"), key);
    end(w, tab_text(w, at, value));
}

void trace_write_meta_u64(TraceWriter *w, const char *key, uint64_t value)
{
    char *at = tab_text(w, put_word(begin(w), "meta"), key);
    end(w, tab_u64(at, value));
}

void trace_write_device(TraceWriter *w, uint32_t id, const char *name)
{
    end(w, tab_text(w, tab_u64(put_word(begin(w), "device"), id), name));
}

void trace_write_engine(TraceWriter *w, uint32_t id, uint32_t device, TraceEngineClass class_,
                        const char *name)
{
    char *at = tab(tab_u64(tab_u64(put_word(begin(w), "engine"), id), device));
    at = put_from(at, trace_engine_word, TRACE_ENGINE_CLASSES, class_);
    end(w, tab_text(w, at, name));
}

void trace_write_link(TraceWriter *w, uint32_t id, uint32_t from, uint32_t to, const char *name)
{
    char *at = tab(tab_u64(tab_u64(put_word(begin(w), "engine"), id), from));
    at =
        tab_text(w, put_from(at, trace_engine_word, TRACE_ENGINE_CLASSES, TRACE_ENGINE_LINK), name);
    end(w, tab_u64(at, to));
}

void trace_write_thread(TraceWriter *w, uint32_t id, TraceThreadRole role, const char *name)
{
    char *at = tab(tab_u64(put_word(begin(w), "thread"), id));
    at = put_from(at, trace_thread_word, TRACE_THREAD_ROLES, role);
    end(w, tab_text(w, at, name));
}

void trace_write_stream(TraceWriter *w, uint32_t id, uint32_t device, TraceStreamFlavour flavour,
                        int priority, uint64_t created_ns, TraceSite site, const char *name)
{
    char *at = tab(tab_u64(tab_u64(put_word(begin(w), "stream"), id), device));
    at = tab(put_from(at, trace_stream_word, TRACE_STREAM_FLAVOURS, flavour));
    at = tab_u64(put_i64(at, priority), created_ns);
    end(w, tab_text(w, tab_site(w, at, site), name));
}

void trace_write_streamend(TraceWriter *w, uint32_t stream, uint64_t ns, TraceSite site)
{
    end(w, tab_site(w, tab_u64(tab_u64(put_word(begin(w), "streamend"), stream), ns), site));
}

void trace_write_name(TraceWriter *w, const char *what, uint32_t id, const char *name)
{
    char *at = tab_text(w, put_word(begin(w), "name"), what);
    end(w, tab_text(w, tab_u64(at, id), name));
}

void trace_write_call(TraceWriter *w, uint32_t id, uint32_t thread, const char *name,
                      uint64_t start_ns, TraceSite site, TraceSide by)
{
    char *at = tab_u64(tab_u64(put_word(begin(w), "call"), id), thread);
    at = tab_u64(tab_text(w, at, name), start_ns);
    end(w, tab_side(tab_site(w, at, site), by));
}

void trace_write_ret(TraceWriter *w, uint32_t call, uint64_t end_ns, int32_t result)
{
    end(w, put_i64(tab(tab_u64(tab_u64(put_word(begin(w), "ret"), call), end_ns)), result));
}

void trace_write_alloc(TraceWriter *w, uint32_t id, uint32_t call, TraceMemory kind,
                       uint64_t address, uint64_t bytes)
{
    char *at = tab_memory(tab_u64(tab_u64(put_word(begin(w), "alloc"), id), call), kind);
    end(w, tab_u64(put_hex(tab(at), address), bytes));
}

void trace_write_free(TraceWriter *w, uint32_t alloc, uint32_t call)
{
    end(w, tab_u64(tab_u64(put_word(begin(w), "free"), alloc), call));
}

void trace_write_event(TraceWriter *w, uint32_t id, uint32_t call)
{
    end(w, tab_u64(tab_u64(put_word(begin(w), "event"), id), call));
}

void trace_write_eventend(TraceWriter *w, uint32_t event, uint32_t call)
{
    end(w, tab_u64(tab_u64(put_word(begin(w), "eventend"), event), call));
}

void trace_write_op(TraceWriter *w, uint32_t id, const TraceOp *op)
{
    char *at = tab(tab_u64(tab_u64(put_word(begin(w), "op"), id), op->call));
    at = put_from(at, trace_op_word, TRACE_OP_KINDS, op->kind);
    at = tab_u64(tab_u64(at, op->device), op->stream);
    at = tab_u64(tab_u64(at, op->issued_ns), op->bytes);
    at = tab_memory(tab_memory(at, op->from), op->to);
    at = tab_dim(tab_dim(at, op->grid), op->block);
    at = tab_u64(tab_u64(at, op->shared_bytes), op->event);
    at = tab_text(w, at, op->name);
    if (op->launch) at = tab_u64(at, op->launch);
    if (op->launch && op->made.file)
        at = put_word(tab(tab_site(w, at, op->made)), op->captured ? "captured" : "added");
    end(w, at);
}

void trace_write_uses(TraceWriter *w, uint32_t op, bool write_, uint32_t alloc, uint64_t offset,
                      uint64_t bytes)
{
    char *at = tab(tab_u64(put_word(begin(w), "uses"), op));
    *at++ = write_ ? 'w' : 'r';
    end(w, tab_u64(tab_u64(tab_u64(at, alloc), offset), bytes));
}

void trace_write_inside(TraceWriter *w, const TraceInside *inside)
{
    char *at = tab(tab_u64(put_word(begin(w), "inside"), inside->op));
    at = put_from(at, trace_inside_word, TRACE_INSIDE_KINDS, inside->kind);
    at = tab_u64(tab_u64(at, inside->alloc), inside->n);
    end(w, tab_u64(tab_u64(at, inside->of), inside->ns));
}

void trace_write_start(TraceWriter *w, uint32_t op, uint64_t ns, uint32_t engine)
{
    end(w, tab_u64(tab_u64(tab_u64(put_word(begin(w), "start"), op), ns), engine));
}

void trace_write_why(TraceWriter *w, uint32_t op, TraceCauseKind cause, uint32_t by_op,
                     uint64_t until_ns)
{
    char *at = tab(tab_u64(put_word(begin(w), "why"), op));
    at = put_from(at, trace_cause_word, TRACE_CAUSE_KINDS, cause);
    end(w, tab_u64(tab_u64(at, by_op), until_ns));
}

void trace_write_moment(TraceWriter *w, uint32_t op, TraceMomentKind kind, uint64_t ns)
{
    char *at = tab(tab_u64(put_word(begin(w), "moment"), op));
    end(w, tab_u64(put_from(at, trace_moment_word, TRACE_MOMENT_KINDS, kind), ns));
}

void trace_write_end(TraceWriter *w, uint32_t op, uint64_t ns)
{
    end(w, tab_u64(tab_u64(put_word(begin(w), "end"), op), ns));
}

void trace_write_range(TraceWriter *w, uint32_t id, uint32_t thread, uint64_t start_ns,
                       const char *name, TraceSide by)
{
    char *at = tab_u64(tab_u64(tab_u64(put_word(begin(w), "range"), id), thread), start_ns);
    end(w, tab_side(tab_text(w, at, name), by));
}

void trace_write_rangeend(TraceWriter *w, uint32_t range, uint64_t ns)
{
    end(w, tab_u64(tab_u64(put_word(begin(w), "rangeend"), range), ns));
}

void trace_write_mark(TraceWriter *w, uint32_t thread, uint64_t ns, const char *name, TraceSide by)
{
    char *at = tab_u64(tab_u64(put_word(begin(w), "mark"), thread), ns);
    end(w, tab_side(tab_text(w, at, name), by));
}

void trace_write_note(TraceWriter *w, const TraceNote *note)
{
    char *at = tab(put_word(begin(w), "note"));
    at = tab_u64(put_from(at, trace_severity_word, TRACE_SEVERITIES, note->severity), note->ns);
    at = tab_text(w, tab_site(w, at, note->site), note->text);
    end(w, tab_text(w, tab_text(w, at, note->kind), note->by));
}

void trace_write_hazard(TraceWriter *w, const TraceHazard *hazard)
{
    char *at = tab_text(w, put_word(begin(w), "hazard"), hazard->kind);
    at = tab_u64(tab_u64(at, hazard->op_a), hazard->op_b);
    at = tab_site(w, tab_site(w, at, hazard->site_a), hazard->site_b);
    at = put_word(tab(tab_text(w, at, hazard->text)), hazard->note ? "note" : "error");
    at = tab_text(w, tab_text(w, at, hazard->headline), hazard->why);
    end(w, tab_text(w, at, hazard->fix));
}

void trace_write_frame(TraceWriter *w, uint32_t stack, uint64_t offset, const char *file)
{
    char *at = put_hex(tab(tab_u64(put_word(begin(w), "frame"), stack)), offset);
    end(w, tab_text(w, at, file));
}

void trace_write_exit(TraceWriter *w, uint64_t ns, int status)
{
    end(w, put_i64(tab(tab_u64(put_word(begin(w), "exit"), ns)), status));
}
