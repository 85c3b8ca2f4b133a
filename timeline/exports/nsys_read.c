/* nsys_read.c - an Nsight Systems database becomes a trace: rows are gathered from the tables there
 * are, brought into the order in which the host did things, and written down as a trace
 * (FORMAT.md), which is then read.
 *
 * The file may come from anyone. Only ordinary tables are asked, column by column, for what the
 * file says it has; no view, trigger or virtual table runs. No file can hold more rows or text than
 * its size allows: where SQLite delivers more, its pages run in circles, and it is refused. So
 * memory stays proportional to the size of the file. */
#include "timeline/exports/nsys.h"

#ifndef WITHOUT_SQLITE
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "timeline/trace/trace_write.h"

#define NOTHING INT64_MIN /* a value that is not there */
#define MOST_NS (INT64_C(1) << 60)

enum {
    NVTX_CATEGORY = 33,
    NVTX_MARK = 34,
    NVTX_DOMAIN = 75,
    SYNC_WAIT = 2,
    ROW_BYTES = 4,
    COLUMNS = 24
};

typedef struct Text {
    int64_t id;
    size_t at;
} Text; /* at: in Import.text; 0: "" */
typedef struct Key {
    int64_t a, b, c, d;
} Key;
typedef struct Keys {
    Key *items;
    uint32_t n, room;
} Keys;
typedef struct Call {
    int64_t start, end, thread, correlation;
    size_t name;
    int32_t result;
    uint32_t order;
} Call;
typedef struct Work {
    TraceOpKind kind;
    bool started; /* its times are known */
    bool whole;   /* a graph that was recorded as one piece of work */
    int64_t start, end, process, correlation, device, context, stream, bytes, event;
    TraceMemory from, to;
    TraceDim grid, block;
    uint32_t shared, call, order;
    size_t name;
} Work;
typedef struct Range {
    int64_t start, end, thread;
    size_t name;
    bool mark;
    uint32_t order;
} Range;
typedef struct StreamInfo {
    Key key;
    int64_t priority;
    TraceStreamFlavour flavour;
    size_t name;
    bool told;
} StreamInfo;

typedef struct Import {
    sqlite3 *db;
    uint64_t rows_left, text_left;
    bool failed;
    const char *problem;    /* problem NULL: what SQLite says, or no memory */
    bool ours, any_process; /* written by nsys_write; no table tells processes apart */
    char *text;
    size_t used, room;
    Text *strings;
    uint32_t n_strings, room_strings;
    Call *calls;
    uint32_t n_calls, room_calls;
    Work *works;
    uint32_t n_works, room_works;
    Range *ranges;
    uint32_t n_ranges, room_ranges;
    Keys streams, threads, devices, events; /* sorted; an id is the rank + 1 */
    StreamInfo *infos;                      /* by stream */
    Keys names;                             /* thread -> text */
    bool null_streams_known;
    int64_t wait_type;
    char flavour_of[8]; /* by stream type: TraceStreamFlavour + 1; 0: not known */
} Import;

static bool fail(Import *in, const char *problem)
{
    if (!in->failed) in->problem = problem;
    in->failed = true;
    return false;
}

#define NO_MEMORY "not enough memory to read it"
#define DAMAGED "damaged: it holds more than a file of its size can"

/* Makes room for one more. */
static bool more(Import *in, void **array, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room) return true;
    uint32_t bigger = *room < UINT32_MAX / 2 ? *room + *room / 2 + 64 : *room;
    void *moved = bigger > n ? realloc(*array, (size_t)bigger * size) : NULL;
    if (!moved) return fail(in, NO_MEMORY);
    *array = moved;
    *room = bigger;
    return true;
}

/* ---- tables ---- */

static bool one_row(sqlite3 *db, const char *query, const char *name)
{
    sqlite3_stmt *row = NULL;
    bool found = !sqlite3_prepare_v2(db, query, -1, &row, NULL) &&
                 !sqlite3_bind_text(row, 1, name, -1, SQLITE_STATIC) &&
                 sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return found;
}

/* An ordinary table: neither a view nor a module's. */
static bool has_table(Import *in, const char *table)
{
    return one_row(in->db,
                   "SELECT 1 FROM sqlite_master WHERE type='table' AND name=? COLLATE NOCASE "
                   "AND sql LIKE 'CREATE TABLE%'",
                   table);
}

static bool has_column(Import *in, const char *table, const char *column)
{
    char query[200];
    snprintf(query, sizeof query,
             "SELECT 1 FROM pragma_table_info('%s') WHERE name=? COLLATE NOCASE", table);
    return one_row(in->db, query, column);
}

/* Asks for columns of a table (a list ended by NULL; "start!": the table is of no use without it).
 * Those that are not there are NULL in every row. NULL when there is no such table. */
static sqlite3_stmt *ask(Import *in, const char *table, const char *const *columns)
{
    char query[2000] = "SELECT ";
    size_t length = strlen(query);
    if (in->failed || !has_table(in, table)) return NULL;
    for (size_t i = 0; columns[i]; i++) {
        char column[64];
        snprintf(column, sizeof column, "%.*s", (int)strcspn(columns[i], "!"), columns[i]);
        bool there = has_column(in, table, column);
        if (!there && strchr(columns[i], '!')) return NULL;
        length += (size_t)snprintf(query + length, sizeof query - length,
                                   there ? "%s\"%s\"" : "%sNULL", i ? "," : "", column);
    }
    snprintf(query + length, sizeof query - length, " FROM \"%s\"", table);
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(in->db, query, -1, &rows, NULL)) fail(in, NULL);
    return rows;
}

/* The next row, if there is one; else the statement is done with. */
static bool next(Import *in, sqlite3_stmt *rows)
{
    int code = rows && !in->failed ? sqlite3_step(rows) : SQLITE_DONE;
    if (code == SQLITE_ROW && in->rows_left-- > 0) return true;
    if (code == SQLITE_ROW) fail(in, DAMAGED);
    else if (code != SQLITE_DONE) fail(in, NULL);
    sqlite3_finalize(rows);
    return false;
}

static int64_t get(sqlite3_stmt *rows, int column, int64_t otherwise)
{
    int type = sqlite3_column_type(rows, column);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT ? sqlite3_column_int64(rows, column)
                                                          : otherwise;
}

static uint32_t get_u32(sqlite3_stmt *rows, int column)
{
    int64_t value = get(rows, column, 0);
    return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* A time; false when there is none, or one that no clock shows. */
static bool get_time(sqlite3_stmt *rows, int column, int64_t *ns)
{
    *ns = get(rows, column, NOTHING);
    return *ns > -MOST_NS && *ns < MOST_NS;
}

/* Keeps a column's text; 0 for none. */
static size_t keep_text(Import *in, sqlite3_stmt *rows, int column)
{
    if (sqlite3_column_type(rows, column) != SQLITE_TEXT) return 0;
    const char *text = (const char *)sqlite3_column_text(rows, column);
    if (!text) return fail(in, NO_MEMORY), 0;
    size_t length = strlen(text);
    if (length == 0) return 0;
    if (length > in->text_left) return fail(in, DAMAGED), 0;
    in->text_left -= length;
    if (in->used + length + 1 > in->room) {
        size_t room = 2 * in->room + length + 65536;
        char *bigger = realloc(in->text, room);
        if (!bigger) return fail(in, NO_MEMORY), 0;
        in->text = bigger;
        in->room = room;
    }
    memcpy(in->text + in->used, text, length + 1);
    in->used += length + 1;
    return in->used - length - 1;
}

static int compare_texts(const void *left, const void *right)
{
    const Text *a = left, *b = right;
    return a->id < b->id ? -1 : a->id > b->id;
}

static size_t string_of(const Import *in, int64_t id)
{
    Text key = {id, 0}, *found = in->n_strings ? bsearch(&key, in->strings, in->n_strings,
                                                         sizeof key, compare_texts)
                                               : NULL;
    return found ? found->at : 0;
}

/* A name that is an id of StringIds, or (in other versions) the text itself. */
static size_t get_name(Import *in, sqlite3_stmt *rows, int column)
{
    if (sqlite3_column_type(rows, column) == SQLITE_TEXT) return keep_text(in, rows, column);
    return string_of(in, get(rows, column, -1));
}

/* ---- keys: what becomes an id ---- */

static int compare_keys(const void *left, const void *right)
{
    const Key *x = left, *y = right;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    if (x->c != y->c) return x->c < y->c ? -1 : 1;
    return x->d < y->d ? -1 : x->d > y->d;
}

static void add_key(Import *in, Keys *keys, Key key)
{
    if (keys->n && !compare_keys(&keys->items[keys->n - 1], &key)) return;
    if (more(in, (void **)&keys->items, keys->n, &keys->room, sizeof key))
        keys->items[keys->n++] = key;
}

static void sort_keys(Keys *keys)
{
    uint32_t n = 0;
    if (keys->n) qsort(keys->items, keys->n, sizeof *keys->items, compare_keys);
    for (uint32_t i = 0; i < keys->n; i++) {
        if (i == 0 || compare_keys(&keys->items[n - 1], &keys->items[i]))
            keys->items[n++] = keys->items[i];
    }
    keys->n = n;
}

/* The first key not below this one. */
static uint32_t lower(const Keys *keys, Key key)
{
    uint32_t low = 0, high = keys->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_keys(&keys->items[middle], &key) < 0) low = middle + 1;
        else high = middle;
    }
    return low;
}

static uint32_t id_of(const Keys *keys, Key key)
{
    uint32_t at = lower(keys, key);
    return at < keys->n && !compare_keys(&keys->items[at], &key) ? at + 1 : 0;
}

/* A serialized global id holds the process from bit 24 on; some tables have the bare process. */
static int64_t process_of(int64_t global)
{
    if (global == NOTHING) return 0;
    return (uint64_t)global >> 24 ? (int64_t)((uint64_t)global >> 24 & 0xffffff) : global;
}

static Key stream_key(const Work *w) { return (Key){w->process, w->context, w->stream, w->device}; }

/* ---- what is read ---- */

static void read_strings(Import *in)
{
    sqlite3_stmt *rows = ask(in, "StringIds", (const char *const[]){"id!", "value!", NULL});
    while (next(in, rows)) {
        if (!more(in, (void **)&in->strings, in->n_strings, &in->room_strings, sizeof *in->strings))
            continue;
        in->strings[in->n_strings++] = (Text){get(rows, 0, -1), keep_text(in, rows, 1)};
    }
    if (in->n_strings) qsort(in->strings, in->n_strings, sizeof *in->strings, compare_texts);
}

/* "cudaMemcpyAsync_v3020" is called cudaMemcpyAsync; so is "cudaMemcpyAsync_ptsz_v7000". */
static size_t call_name(Import *in, size_t at)
{
    char *name = in->text + at;
    if (at == 0) return 0;
    char *end = strrchr(name, '_');
    /* the number is the CUDA version that brought the call, from 2000 on; "_v2" is part of a
     * name */
    bool version = end && end > name && end[1] == 'v' && strlen(end) > 5;
    if (version && strspn(end + 2, "0123456789") == strlen(end + 2)) *end = '\0';
    size_t length = strlen(name);
    if (length > 5 &&
        (!strcmp(name + length - 5, "_ptsz") || !strcmp(name + length - 5, "_ptds"))) {
        name[length - 5] = '\0';
    }
    return at;
}

static void read_calls(Import *in)
{
    sqlite3_stmt *rows = ask(in, "CUPTI_ACTIVITY_KIND_RUNTIME",
                             (const char *const[]){"start!", "end!", "globalTid", "correlationId",
                                                   "nameId", "returnValue", NULL});
    while (next(in, rows)) {
        Call call = {.thread = get(rows, 2, 0),
                     .correlation = get(rows, 3, NOTHING),
                     .order = in->n_calls};
        if (!get_time(rows, 0, &call.start)) continue;
        if (!get_time(rows, 1, &call.end) || call.end < call.start) call.end = call.start;
        call.name = call_name(in, get_name(in, rows, 4));
        call.result = (int32_t)get(rows, 5, 0);
        if (!more(in, (void **)&in->calls, in->n_calls, &in->room_calls, sizeof call)) continue;
        in->calls[in->n_calls++] = call;
        add_key(in, &in->threads, (Key){.a = call.thread});
    }
}

static void add_work(Import *in, Work work)
{
    work.order = in->n_works;
    work.process = process_of(work.process);
    if (work.end < work.start) work.end = work.start;
    if (work.start == 0 && work.end == 0 && !in->ours)
        work.started = false; /* CUPTI: no times were to be had */
    if (!more(in, (void **)&in->works, in->n_works, &in->room_works, sizeof work)) return;
    in->works[in->n_works++] = work;
    if (work.process) in->any_process = false;
    add_key(in, &in->devices, (Key){.a = work.device});
    if (work.event != NOTHING) add_key(in, &in->events, (Key){.a = work.process, .b = work.event});
}

#define WORK_COLUMNS \
    "start!", "end!", "deviceId", "contextId", "streamId", "correlationId", "globalPid"

/* What every table of work begins with; false: a row without times. */
static bool get_work(sqlite3_stmt *rows, TraceOpKind kind, Work *work)
{
    *work = (Work){.kind = kind,
                   .started = true,
                   .device = get(rows, 2, 0),
                   .context = get(rows, 3, 0),
                   .stream = get(rows, 4, 0),
                   .correlation = get(rows, 5, NOTHING),
                   .process = get(rows, 6, NOTHING),
                   .event = NOTHING};
    return get_time(rows, 0, &work->start) && get_time(rows, 1, &work->end);
}

static void read_kernels(Import *in)
{
    Work work;
    sqlite3_stmt *rows =
        ask(in, "CUPTI_ACTIVITY_KIND_KERNEL",
            (const char *const[]){WORK_COLUMNS, "shortName", "demangledName", "name", "gridX",
                                  "gridY", "gridZ", "blockX", "blockY", "blockZ",
                                  "staticSharedMemory", "dynamicSharedMemory", NULL});
    while (next(in, rows)) {
        if (!get_work(rows, TRACE_KERNEL, &work)) continue;
        for (int i = 7; i < 10 && !work.name; i++) work.name = get_name(in, rows, i);
        work.grid = (TraceDim){get_u32(rows, 10), get_u32(rows, 11), get_u32(rows, 12)};
        work.block = (TraceDim){get_u32(rows, 13), get_u32(rows, 14), get_u32(rows, 15)};
        uint64_t shared = (uint64_t)get_u32(rows, 16) + get_u32(rows, 17);
        work.shared = shared > UINT32_MAX ? UINT32_MAX : (uint32_t)shared;
        add_work(in, work);
    }
    /* graphs that were recorded as a whole, and not kernel by kernel */
    rows = ask(in, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", (const char *const[]){WORK_COLUMNS, NULL});
    while (next(in, rows)) {
        if (!get_work(rows, TRACE_KERNEL, &work)) continue;
        work.whole = true;
        add_work(in, work);
    }
    rows = ask(in, "CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH",
               (const char *const[]){WORK_COLUMNS, NULL});
    while (next(in, rows)) {
        if (get_work(rows, TRACE_HOSTFN, &work)) add_work(in, work);
    }
}

static TraceMemory memory_of(int64_t kind)
{
    switch (kind) {
    case 0: return TRACE_MEM_PAGEABLE;
    case 1: return TRACE_MEM_PINNED;
    case 2:
    case 3:
    case 5: return TRACE_MEM_DEVICE;
    case 4:
    case 6: return TRACE_MEM_MANAGED;
    default: return TRACE_MEM_NONE;
    }
}

/* Copies, by ENUM_CUDA_MEMCPY_OPER: arrays are memory of the device, and so is what unified memory
 * moves. */
static TraceOpKind copy_of(int64_t kind)
{
    switch (kind) {
    case 1:
    case 3:
    case 11: return TRACE_H2D;
    case 2:
    case 4:
    case 12: return TRACE_D2H;
    case 9: return TRACE_H2H;
    case 10: return TRACE_P2P;
    default: return TRACE_D2D;
    }
}

static void read_memory_operations(Import *in)
{
    Work work;
    sqlite3_stmt *rows =
        ask(in, "CUPTI_ACTIVITY_KIND_MEMCPY",
            (const char *const[]){WORK_COLUMNS, "bytes", "copyKind!", "srcKind", "dstKind", NULL});
    while (next(in, rows)) {
        if (!get_work(rows, copy_of(get(rows, 8, 8)), &work)) continue;
        work.bytes = get(rows, 7, 0);
        work.from = memory_of(get(rows, 9, 7));
        work.to = memory_of(get(rows, 10, 7));
        add_work(in, work);
    }
    rows = ask(in, "CUPTI_ACTIVITY_KIND_MEMSET",
               (const char *const[]){WORK_COLUMNS, "bytes", "memKind", NULL});
    while (next(in, rows)) {
        if (!get_work(rows, TRACE_MEMSET, &work)) continue;
        work.bytes = get(rows, 7, 0);
        work.to = memory_of(get(rows, 8, 7));
        add_work(in, work);
    }
}

/* Recorded events, and streams that wait for one: markers without a time of their own. */
static void read_events(Import *in)
{
    Work work;
    sqlite3_stmt *rows =
        ask(in, "ENUM_CUPTI_SYNC_TYPE", (const char *const[]){"id!", "name", NULL});
    while (next(in, rows)) {
        const char *name = (const char *)sqlite3_column_text(rows, 1);
        if (name && strstr(name, "STREAM_WAIT")) in->wait_type = get(rows, 0, SYNC_WAIT);
    }
    rows = ask(in, "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
               (const char *const[]){"eventId!", "streamId!", "deviceId", "contextId", "streamId",
                                     "correlationId!", "globalPid", NULL});
    while (next(in, rows)) {
        get_work(rows, TRACE_RECORD, &work);
        work.started = false;
        work.start = work.end = NOTHING;
        work.event = get(rows, 0, NOTHING);
        add_work(in, work);
    }
    rows = ask(in, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
               (const char *const[]){WORK_COLUMNS, "syncType!", "eventId!", NULL});
    while (next(in, rows)) {
        if (get(rows, 7, 0) != in->wait_type || !get_work(rows, TRACE_WAIT, &work)) continue;
        work.started = false;
        work.event = get(rows, 8, NOTHING);
        add_work(in, work);
    }
}

static void read_ranges(Import *in)
{
    sqlite3_stmt *rows = ask(in, "NVTX_EVENTS",
                             (const char *const[]){"start!", "end", "eventType", "text", "textId",
                                                   "globalTid", NULL});
    while (next(in, rows)) {
        int64_t type = get(rows, 2, 0);
        Range range = {.order = in->n_ranges, .thread = get(rows, 5, 0)};
        if (!get_time(rows, 0, &range.start) || type == NVTX_CATEGORY || type == NVTX_DOMAIN)
            continue;
        range.mark = type == NVTX_MARK;
        if (!get_time(rows, 1, &range.end)) range.end = NOTHING;
        else if (range.end < range.start) range.end = range.start;
        range.name = get_name(in, rows, sqlite3_column_type(rows, 3) == SQLITE_NULL ? 4 : 3);
        if (!more(in, (void **)&in->ranges, in->n_ranges, &in->room_ranges, sizeof range)) continue;
        in->ranges[in->n_ranges++] = range;
        add_key(in, &in->threads, (Key){.a = range.thread});
    }
}

/* ---- streams ---- */

static void tell_stream(Import *in, Key key, int64_t priority, TraceStreamFlavour flavour,
                        size_t name)
{
    if (in->any_process) key.a = 0;
    key.d = INT64_MIN;
    for (uint32_t i = lower(&in->streams, key); i < in->streams.n; i++) {
        const Key *stream = &in->streams.items[i];
        if (stream->a != key.a || stream->b != key.b || stream->c != key.c) return;
        StreamInfo *info = &in->infos[i];
        if (name) {
            info->name = name;
        } else if (!info->told || flavour == TRACE_STREAM_LEGACY) {
            info->told = true;
            info->flavour = flavour;
            if (priority != NOTHING) info->priority = priority;
        }
    }
}

static void read_stream_types(Import *in)
{
    static const char usual[8] = {0, TRACE_STREAM_BLOCKING + 1, TRACE_STREAM_NONBLOCKING + 1,
                                  TRACE_STREAM_LEGACY + 1};
    memcpy(in->flavour_of, usual, sizeof usual);
    sqlite3_stmt *rows =
        ask(in, "ENUM_CUPTI_STREAM_TYPE", (const char *const[]){"id!", "name", NULL});
    while (next(in, rows)) {
        int64_t id = get(rows, 0, -1);
        const char *name = (const char *)sqlite3_column_text(rows, 1);
        if (id < 0 || id > 7 || !name) continue;
        in->flavour_of[id] = strstr(name, "NON_BLOCKING") ? TRACE_STREAM_NONBLOCKING + 1
                             : strstr(name, "DEFAULT")    ? TRACE_STREAM_BLOCKING + 1
                             : strstr(name, "NULL")       ? TRACE_STREAM_LEGACY + 1
                                                          : 0;
    }
}

/* Which streams there are. Those that nothing ran in count as well: people number the streams that
 * they make. */
static void list_streams(Import *in)
{
    Keys contexts = {0};
    for (uint32_t i = 0; i < in->n_works; i++) {
        const Work *w = &in->works[i];
        add_key(in, &in->streams, stream_key(w));
        add_key(in, &contexts, (Key){w->process, w->context, w->device, 0});
    }
    sort_keys(&contexts);
    for (int pass = 0; pass < 2 && !in->failed; pass++) {
        sqlite3_stmt *rows = ask(in, "TARGET_INFO_CUDA_STREAM",
                                 (const char *const[]){"streamId!", "processId", "contextId",
                                                       "priority", "flag", NULL});
        while (next(in, rows)) {
            Key key = {in->any_process ? 0 : process_of(get(rows, 1, 0)), get(rows, 2, 0),
                       get(rows, 0, 0), 0};
            int64_t type = get(rows, 4, 0);
            char flavour = type >= 0 && type < 8 ? in->flavour_of[type] : 0;
            if (pass == 1) {
                tell_stream(in, key, get(rows, 3, 0),
                            flavour ? (TraceStreamFlavour)(flavour - 1) : TRACE_STREAM_NONBLOCKING,
                            0);
                continue;
            }
            uint32_t at = lower(&contexts, (Key){key.a, key.b, INT64_MIN, 0});
            if (at == contexts.n || contexts.items[at].a != key.a || contexts.items[at].b != key.b)
                continue;
            key.d = contexts.items[at].c;
            add_key(in, &in->streams, key);
        }
        if (pass == 0) {
            sort_keys(&in->streams);
            in->infos = calloc((size_t)in->streams.n + 1, sizeof *in->infos);
            if (!in->infos) fail(in, NO_MEMORY);
            for (uint32_t i = 0; i < in->streams.n && in->infos; i++)
                in->infos[i].flavour = TRACE_STREAM_NONBLOCKING;
        }
    }
    free(contexts.items);
}

/* Which of them are default streams. */
static void read_null_streams(Import *in)
{
    static const char *const tables[] = {"TARGET_INFO_CUDA_NULL_STREAM",
                                         "TARGET_INFO_CUDA_CONTEXT_INFO"};
    static const char *const columns[] = {"streamId!", "nullStreamId!"};
    for (int i = 0; i < 2; i++) {
        sqlite3_stmt *rows =
            ask(in, tables[i], (const char *const[]){columns[i], "processId", "contextId", NULL});
        while (next(in, rows)) {
            in->null_streams_known = true;
            tell_stream(in, (Key){process_of(get(rows, 1, 0)), get(rows, 2, 0), get(rows, 0, 0), 0},
                        NOTHING, TRACE_STREAM_LEGACY, 0);
        }
    }
    /* where the file does not say: CUPTI numbers the first context's default stream 7 */
    for (uint32_t i = 0; i < in->streams.n && !in->failed && !in->null_streams_known && !in->ours;
         i++) {
        if (in->streams.items[i].c == 7 && !in->infos[i].told)
            in->infos[i].flavour = TRACE_STREAM_LEGACY;
    }
}

static void read_streams(Import *in)
{
    list_streams(in);
    read_null_streams(in);
    sqlite3_stmt *rows =
        ask(in, "TARGET_INFO_NVTX_CUDA_STREAM",
            (const char *const[]){"name!", "processId", "contextId", "streamId!", NULL});
    while (next(in, rows)) {
        tell_stream(in, (Key){process_of(get(rows, 1, 0)), get(rows, 2, 0), get(rows, 3, 0), 0},
                    NOTHING, TRACE_STREAM_NONBLOCKING, keep_text(in, rows, 0));
    }
}

/* ---- order ---- */

static int by_start(const void *left, const void *right)
{
    const Call *a = left, *b = right;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int by_range_start(const void *left, const void *right)
{
    const Range *a = left, *b = right;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->end != b->end && a->end != NOTHING && b->end != NOTHING) return a->end > b->end ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* By the moment of issue; calls are sorted, so their rank says when. Where two stand in for the
 * same moment: work that is known to have run, as it ran. */
static int by_issue(const void *left, const void *right)
{
    const Work *a = left, *b = right;
    if (a->call != b->call) return a->call < b->call ? -1 : 1;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Tells every work which call issued it (rank + 1; UINT32_MAX: none), and sorts both. */
static void find_calls(Import *in)
{
    Keys calls = {0};
    if (in->n_calls) qsort(in->calls, in->n_calls, sizeof *in->calls, by_start);
    for (uint32_t i = 0; i < in->n_calls && !in->failed; i++) {
        const Call *call = &in->calls[i];
        if (call->correlation == NOTHING) continue;
        add_key(in, &calls,
                (Key){in->any_process ? 0 : process_of(call->thread), call->correlation, i, 0});
    }
    sort_keys(&calls);
    for (uint32_t i = 0; i < in->n_works && !in->failed; i++) {
        Work *w = &in->works[i];
        Key key = {w->process, w->correlation, INT64_MIN, 0};
        uint32_t at = lower(&calls, key);
        bool found = w->correlation != NOTHING && at < calls.n && calls.items[at].a == key.a &&
                     calls.items[at].b == key.b;
        w->call = found ? (uint32_t)calls.items[at].c + 1 : UINT32_MAX;
        if (!found && w->start == NOTHING)
            w->start = MOST_NS; /* a marker of an unknown moment: last */
    }
    if (in->n_works) qsort(in->works, in->n_works, sizeof *in->works, by_issue);
    if (in->n_ranges) qsort(in->ranges, in->n_ranges, sizeof *in->ranges, by_range_start);
    free(calls.items);
}

/* ---- writing it down ---- */

static const char *text_at(const Import *in, size_t at) { return at ? in->text + at : ""; }

typedef struct Output {
    TraceWriter *w;
    Import *in;
    int64_t zero;
    uint64_t last;
    uint32_t ops;
} Output;

static uint64_t clock_of(Output *o, int64_t ns)
{
    uint64_t value = (uint64_t)(ns - o->zero);
    if (value > o->last) o->last = value;
    return value;
}

static void write_metas(Output *o)
{
    static const char prefix[] = "THREELANE_";
    Import *in = o->in;
    bool unit = false;
    trace_write_meta(o->w, "backend", "cuda");
    sqlite3_stmt *rows =
        ask(in, "META_DATA_CAPTURE", (const char *const[]){"name!", "value!", NULL});
    while (next(in, rows)) {
        const char *name = (const char *)sqlite3_column_text(rows, 0);
        const char *value = (const char *)sqlite3_column_text(rows, 1);
        if (!name || !value || strncmp(name, prefix, sizeof prefix - 1) != 0) continue;
        name += sizeof prefix - 1;
        if (!strcmp(name, "backend")) continue;
        unit = unit || !strcmp(name, "unit_ns");
        trace_write_meta(o->w, name, value);
    }
    if (unit) return;
    trace_write_meta_u64(o->w, "unit_ns", 1000000);
    trace_write_meta(o->w, "unit_name", "ms");
    trace_write_meta(o->w, "exact", "0");
    rows = ask(in, "PROCESSES", (const char *const[]){"name!", "globalPid", NULL});
    bool named = false;
    while (next(in, rows)) {
        const char *name = (const char *)sqlite3_column_text(rows, 0);
        if (named || !name || !in->n_calls) continue;
        if (process_of(in->calls[0].thread) != process_of(get(rows, 1, 0))) continue;
        const char *slash = strrchr(name, '/');
        trace_write_meta(o->w, "program", slash ? slash + 1 : name);
        named = true;
    }
}

static void write_devices(Output *o)
{
    Import *in = o->in;
    for (uint32_t i = 0; i < in->devices.n; i++) {
        int64_t device = in->devices.items[i].a, gpu = device;
        size_t name = 0;
        sqlite3_stmt *rows =
            ask(in, "TARGET_INFO_CUDA_DEVICE", (const char *const[]){"cudaId!", "gpuId!", NULL});
        while (next(in, rows)) {
            if (get(rows, 0, -1) == device) gpu = get(rows, 1, device);
        }
        rows = ask(in, "TARGET_INFO_GPU", (const char *const[]){"id!", "name!", NULL});
        while (next(in, rows)) {
            if (get(rows, 0, -1) == gpu) name = keep_text(in, rows, 1);
        }
        trace_write_device(o->w, i + 1, name ? text_at(in, name) : "GPU");
        if (i == 0 && name && !in->ours) trace_write_meta(o->w, "card", text_at(in, name));
        static const char *const titles[TRACE_ENGINE_HOST] = {"H2D copy", "D2H copy", "Peer copy",
                                                              "Compute"};
        for (int class_ = 0; class_ < TRACE_ENGINE_HOST; class_++) {
            trace_write_engine(o->w, i * 4 + (uint32_t)class_ + 1, i + 1, (TraceEngineClass)class_,
                               titles[class_]);
        }
        if (in->failed) return;
    }
    trace_write_engine(o->w, in->devices.n * 4 + 1, 0, TRACE_ENGINE_HOST, "host functions");
}

static uint32_t engine_of(const Import *in, const Work *w)
{
    uint32_t first = (id_of(&in->devices, (Key){.a = w->device}) - 1) * 4 + 1;
    switch (w->kind) {
    case TRACE_H2D: return first + TRACE_ENGINE_H2D;
    case TRACE_D2H: return first + TRACE_ENGINE_D2H;
    case TRACE_P2P: return first + TRACE_ENGINE_COPY;
    case TRACE_HOSTFN: return in->devices.n * 4 + 1;
    case TRACE_H2H: return 0;
    default: return first + TRACE_ENGINE_COMPUTE;
    }
}

static void write_threads_and_streams(Output *o)
{
    Import *in = o->in;
    sqlite3_stmt *rows =
        ask(in, "ThreadNames", (const char *const[]){"globalTid!", "nameId!", NULL});
    while (next(in, rows)) {
        add_key(in, &in->names, (Key){.a = get(rows, 0, 0), .b = (int64_t)get_name(in, rows, 1)});
    }
    sort_keys(&in->names);
    bool any_main = false;
    for (uint32_t i = 0; i < in->threads.n; i++) {
        int64_t thread = in->threads.items[i].a;
        any_main = any_main || (process_of(thread) && (thread & 0xffffff) == process_of(thread));
    }
    for (uint32_t i = 0; i < in->threads.n; i++) {
        int64_t thread = in->threads.items[i].a;
        bool is_main = any_main ? (thread & 0xffffff) == process_of(thread) : i == 0;
        bool is_driver = in->ours && thread & 0x800000;
        uint32_t name = lower(&in->names, (Key){.a = thread, .b = INT64_MIN});
        bool named = name < in->names.n && in->names.items[name].a == thread;
        TraceThreadRole role = is_main     ? TRACE_THREAD_MAIN
                               : is_driver ? TRACE_THREAD_DRIVER
                                           : TRACE_THREAD_HOST;
        trace_write_thread(o->w, i + 1, role,
                           named ? text_at(in, (size_t)in->names.items[name].b) : "");
    }
    for (uint32_t i = 0; i < in->streams.n && !in->failed; i++) {
        const StreamInfo *info = &in->infos[i];
        int64_t priority = info->priority > -1000 && info->priority < 1000 ? info->priority : 0;
        trace_write_stream(o->w, i + 1, id_of(&in->devices, (Key){.a = in->streams.items[i].d}),
                           info->flavour, (int)priority, 0, (TraceSite){NULL, 0},
                           text_at(in, info->name));
    }
    for (uint32_t i = 0; i < in->events.n; i++) trace_write_event(o->w, i + 1, 0);
}

/* The launch of a graph whose nodes were recorded: these follow, `n` of them. */
static uint32_t write_launch(Output *o, const Work *nodes, uint32_t n, uint32_t call,
                             int64_t issued)
{
    const Key device = {.a = nodes->device};
    TraceOp op = {.kind = TRACE_GRAPH,
                  .call = call,
                  .device = id_of(&o->in->devices, device),
                  .stream = id_of(&o->in->streams, stream_key(nodes)),
                  .issued_ns = clock_of(o, issued),
                  .name = ""};
    int64_t start = INT64_MAX, end = INT64_MIN;
    for (uint32_t i = 0; i < n; i++) {
        if (!nodes[i].started) continue;
        if (nodes[i].start < start) start = nodes[i].start;
        if (nodes[i].end > end) end = nodes[i].end;
    }
    trace_write_op(o->w, ++o->ops, &op);
    if (start <= end) {
        trace_write_start(o->w, o->ops, clock_of(o, start), 0);
        trace_write_end(o->w, o->ops, clock_of(o, end));
    }
    return o->ops;
}

static bool launches_graph(const char *name)
{
    return !strcmp(name, "cudaGraphLaunch") || !strcmp(name, "cuGraphLaunch");
}

static void write_work(Output *o, const Work *w, uint32_t call, uint32_t launch, int64_t issued)
{
    Import *in = o->in;
    /* (outside: gcc 11 warns of initializers in initializers) */
    const Key device = {.a = w->device}, event = {.a = w->process, .b = w->event};
    TraceOp op = {
        .kind = w->kind,
        .call = call,
        .device = id_of(&in->devices, device),
        .stream = id_of(&in->streams, stream_key(w)),
        .issued_ns = clock_of(o, issued),
        .bytes = w->bytes > 0 ? (uint64_t)w->bytes : 0,
        .from = w->from,
        .to = w->to,
        .grid = w->grid,
        .block = w->block,
        .shared_bytes = w->shared,
        .name = text_at(in, w->name),
        .event = w->event == NOTHING ? 0 : id_of(&in->events, event),
        .launch = launch,
    };
    trace_write_op(o->w, ++o->ops, &op);
    if (!w->started) return;
    trace_write_start(o->w, o->ops, clock_of(o, w->start), engine_of(in, w));
    trace_write_end(o->w, o->ops, clock_of(o, w->end));
}

/* The host's moments in order: ranges that end, ranges that begin, calls with their work. At the
 * same moment a range ends before another begins, unless it began at that moment itself: it then
 * holds what took no time. */
static bool write_moments(Output *o)
{
    Import *in = o->in;
    uint32_t range = 0, call = 0, work = 0, end = 0, n_ends = 0;
    Key *ends = malloc(((size_t)in->n_ranges + 1) * sizeof *ends);
    if (!ends) return fail(in, NO_MEMORY);
    uint32_t id = 0;
    for (uint32_t i = 0; i < in->n_ranges; i++) {
        const Range *r = &in->ranges[i];
        if (r->mark) continue;
        id++; /* what opened last closes first */
        if (r->end != NOTHING) ends[n_ends++] = (Key){r->end, r->end == r->start, -(int64_t)id, 0};
    }
    qsort(ends, n_ends, sizeof *ends, compare_keys);
    id = 0;
    uint32_t orphan = 0; /* work of calls that were not recorded: sorted behind the others */
    while (orphan < in->n_works && in->works[orphan].call != UINT32_MAX) orphan++;
    while (range < in->n_ranges || call < in->n_calls || end < n_ends || orphan < in->n_works) {
        int64_t begins = range < in->n_ranges ? in->ranges[range].start : INT64_MAX;
        int64_t called = call < in->n_calls ? in->calls[call].start : INT64_MAX;
        int64_t appears = orphan < in->n_works ? in->works[orphan].start : INT64_MAX;
        int64_t closes = end < n_ends ? ends[end].a : INT64_MAX;
        int64_t first = begins < called ? begins : called;
        if (appears < first) first = appears;
        if (closes < first || (closes == first && closes < INT64_MAX && !ends[end].b)) {
            trace_write_rangeend(o->w, (uint32_t)-ends[end++].c, clock_of(o, closes));
        } else if (begins == first) {
            const Range *r = &in->ranges[range++];
            uint32_t thread = id_of(&in->threads, (Key){.a = r->thread});
            if (r->mark)
                trace_write_mark(o->w, thread, clock_of(o, r->start), text_at(in, r->name),
                                 TRACE_SIDE_NONE);
            else
                trace_write_range(o->w, ++id, thread, clock_of(o, r->start), text_at(in, r->name),
                                  TRACE_SIDE_NONE);
        } else if (called == first) {
            const Call *c = &in->calls[call++];
            trace_write_call(o->w, call, id_of(&in->threads, (Key){.a = c->thread}),
                             text_at(in, c->name), clock_of(o, c->start), (TraceSite){NULL, 0},
                             TRACE_SIDE_NONE);
            uint32_t last = work, launch = 0;
            while (last < in->n_works && in->works[last].call == call) last++;
            if (last > work && !in->works[work].whole && launches_graph(text_at(in, c->name)))
                launch = write_launch(o, &in->works[work], last - work, call, c->start);
            for (; work < last; work++) write_work(o, &in->works[work], call, launch, c->start);
            trace_write_ret(o->w, call, clock_of(o, c->end), c->result);
        } else {
            const Work *w = &in->works[orphan++];
            write_work(o, w, 0, 0, w->start < MOST_NS ? w->start : o->zero);
        }
    }
    free(ends);
    return true;
}

/* The first moment there is: the trace's clock starts there, or where it started before it was
 * exported. */
static int64_t find_zero(const Import *in)
{
    int64_t zero = INT64_MAX;
    for (uint32_t i = 0; i < in->n_calls; i++)
        zero = in->calls[i].start < zero ? in->calls[i].start : zero;
    for (uint32_t i = 0; i < in->n_ranges; i++)
        zero = in->ranges[i].start < zero ? in->ranges[i].start : zero;
    for (uint32_t i = 0; i < in->n_works; i++) {
        const Work *w = &in->works[i];
        if (w->started && w->start < zero) zero = w->start;
    }
    return zero == INT64_MAX || (in->ours && zero >= 0) ? 0 : zero;
}

static Trace *write_down(Import *in, const char *path, char *error, size_t error_size)
{
    FILE *file = tmpfile();
    int fd = file ? dup(fileno(file)) : -1;
    Output o = {.w = fd >= 0 ? trace_write_open(fd) : NULL, .in = in, .zero = find_zero(in)};
    Trace *t = NULL;
    if (!o.w) {
        snprintf(error, error_size, "%s: no temporary file can be made: %s", path, strerror(errno));
        if (fd >= 0) close(fd);
    } else {
        write_metas(&o);
        if (!in->failed) write_devices(&o);
        if (!in->failed) write_threads_and_streams(&o);
        if (!in->failed) write_moments(&o);
        trace_write_exit(o.w, o.last, 0);
        int failure = trace_write_close(o.w);
        char name[64];
        snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(file));
        if (failure)
            snprintf(error, error_size, "%s: a temporary file cannot be written: %s", path,
                     strerror(failure));
        else if (!in->failed) t = trace_read(name, error, error_size);
    }
    if (file) fclose(file);
    return t;
}

static void read_all(Import *in)
{
    in->ours =
        has_table(in, "META_DATA_EXPORT") &&
        one_row(in->db,
                "SELECT 1 FROM META_DATA_EXPORT WHERE name='EXPORT_PRODUCT_NAME' AND value=?",
                "Threelane");
    in->any_process = true;
    in->wait_type = SYNC_WAIT;
    read_strings(in);
    read_calls(in);
    read_kernels(in);
    read_memory_operations(in);
    read_events(in);
    read_ranges(in);
    read_stream_types(in);
    read_streams(in);
    sort_keys(&in->threads);
    sort_keys(&in->devices);
    sort_keys(&in->events);
    if (!in->failed) find_calls(in);
}

Trace *nsys_read(const char *path, char *error, size_t error_size)
{
    struct stat status;
    Import in = {0};
    Trace *t = NULL;
    in.used = 1; /* offset 0 is "" */
    if (stat(path, &status) != 0) {
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
        return NULL;
    }
    /* the tables of devices and streams are asked more than once */
    in.rows_left = 8 * (uint64_t)status.st_size / ROW_BYTES + 1000;
    in.text_left = 4 * (uint64_t)status.st_size + 1000;
    if (sqlite3_open_v2(path, &in.db, SQLITE_OPEN_READONLY, NULL)) {
        fail(&in, NULL);
    } else {
        sqlite3_limit(in.db, SQLITE_LIMIT_LENGTH, 64 << 20);
        sqlite3_db_config(in.db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_exec(in.db,
                     "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0;"
                     "PRAGMA temp_store=MEMORY;",
                     NULL, NULL, NULL);
        /* the first question to a file that is no database is the one that fails */
        if (sqlite3_exec(in.db, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL))
            fail(&in, NULL);
    }
    if (!in.failed) read_all(&in);
    if (!in.failed && !in.n_works && !in.n_calls && !in.n_ranges) {
        fail(&in, "no CUDA work and no NVTX ranges in this database: is it what `nsys export "
                  "--type sqlite` wrote?");
    }
    if (!in.failed) t = write_down(&in, path, error, error_size);
    if (in.failed) {
        snprintf(error, error_size, "%s: %s", path,
                 in.problem ? in.problem : sqlite3_errmsg(in.db));
        trace_free(t);
        t = NULL;
    }
    sqlite3_close_v2(in.db);
    free(in.text);
    free(in.strings);
    free(in.calls);
    free(in.works);
    free(in.ranges);
    free(in.streams.items);
    free(in.threads.items);
    free(in.devices.items);
    free(in.events.items);
    free(in.names.items);
    free(in.infos);
    return t;
}
#else
typedef int NothingHere; /* a file must declare something */
#endif
