#include "common/env.h"
#include "common/utf8.h"
#include "timeline/exports/nsys.h"

#ifndef WITHOUT_SQLITE
#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/glyphs.h"

/* The process that the profiler would have seen. Ids of processes and threads are serialized into
 * one number: the process from bit 24 on, the thread below. */
#define PROCESS 1000
#define GLOBAL_PROCESS ((int64_t)PROCESS << 24)
#define NONE INT64_MIN       /* NULL in a row */
#define NO_STREAM UINT32_MAX /* CUPTI's invalid id */

enum {
    NVTX_MARK = 34,
    NVTX_PUSH_POP = 59,
    SYNC_EVENT = 1,
    SYNC_WAIT = 2,
    SYNC_STREAM = 3,
    SYNC_CONTEXT = 4
};

static const char schema[] =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);"
    "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);"
    "CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);"
    "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
    "CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER NOT NULL, duration INTEGER NOT NULL,"
    " startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL);"
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime "
    "TEXT);"
    "CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT NOT NULL, name TEXT "
    "NOT NULL, nameEnum INTEGER NOT NULL, value TEXT);"
    "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, "
    "busLocation TEXT,"
    " isDiscrete INTEGER, totalMemory INTEGER, clockRate INTEGER, smCount INTEGER, cuDevice "
    "INTEGER);"
    "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT "
    "NULL, uuid TEXT,"
    " numMultiprocessors INTEGER);"
    "CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER NOT NULL, hwId INTEGER NOT "
    "NULL,"
    " vmId INTEGER NOT NULL, processId INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId "
    "INTEGER NOT NULL,"
    " parentContextId INTEGER, isGreenContext INTEGER);"
    "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId "
    "INTEGER NOT NULL,"
    " processId INTEGER NOT NULL, contextId INTEGER NOT NULL, priority INTEGER NOT NULL, flag "
    "INTEGER NOT NULL);"
    "CREATE TABLE TARGET_INFO_NVTX_CUDA_STREAM (name TEXT NOT NULL, hwId INTEGER NOT NULL, vmId "
    "INTEGER NOT NULL,"
    " processId INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId "
    "INTEGER NOT NULL);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL,"
    " eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT "
    "NULL,"
    " returnValue INTEGER NOT NULL, callchainId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "deviceId INTEGER NOT NULL,"
    " contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId "
    "INTEGER,"
    " globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName "
    "INTEGER,"
    " launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER "
    "NOT NULL,"
    " gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT "
    "NULL,"
    " blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER "
    "NOT NULL,"
    " localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT "
    "NULL,"
    " sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "deviceId INTEGER NOT NULL,"
    " contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId "
    "INTEGER,"
    " globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, deprecatedSrcId "
    "INTEGER, srcKind INTEGER,"
    " dstKind INTEGER, srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, "
    "dstContextId INTEGER,"
    " migrationCause INTEGER, graphNodeId INTEGER, virtualAddress INTEGER, copyCount INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, "
    "deviceId INTEGER NOT NULL,"
    " contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId "
    "INTEGER,"
    " globalPid INTEGER, value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, "
    "memKind INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT "
    "NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId "
    "INTEGER NOT NULL,"
    " correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT "
    "NULL,"
    " eventSyncId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INTEGER, deviceId INTEGER NOT NULL,"
    " contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId "
    "INTEGER,"
    " globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH (start INTEGER NOT NULL, end "
    "INTEGER NOT NULL,"
    " deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId "
    "INTEGER NOT NULL,"
    " correlationId INTEGER, globalPid INTEGER, graphNodeId INTEGER, graphId INTEGER);"
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, "
    "rangeId INTEGER,"
    " category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId "
    "INTEGER,"
    " domainId INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value "
    "INTEGER,"
    " int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);"
    "CREATE TABLE ENUM_NSYS_EVENT_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
    "CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
    "CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
    "CREATE TABLE ENUM_CUPTI_SYNC_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
    "CREATE TABLE ENUM_CUPTI_STREAM_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);"
    "INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES (34,'NvtxMark','NVTX mark'),"
    "(59,'NvtxPushPopRange','NVTX push/pop range');"
    "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (0,'CUDA_MEMCPY_KIND_UNKNOWN','Unknown'),"
    "(1,'CUDA_MEMCPY_KIND_HTOD','Host-to-Device'),(2,'CUDA_MEMCPY_KIND_DTOH','Device-to-Host'),"
    "(8,'CUDA_MEMCPY_KIND_DTOD','Device-to-Device'),(9,'CUDA_MEMCPY_KIND_HTOH','Host-to-Host'),"
    "(10,'CUDA_MEMCPY_KIND_PTOP','Peer-to-Peer');"
    "INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0,'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE','Pageable'),"
    "(1,'CUDA_MEMOPR_MEMORY_KIND_PINNED','Pinned'),(2,'CUDA_MEMOPR_MEMORY_KIND_DEVICE','Device'),"
    "(4,'CUDA_MEMOPR_MEMORY_KIND_MANAGED','Managed'),(7,'CUDA_MEMOPR_MEMORY_KIND_UNKNOWN','Unknown'"
    ");"
    "INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES "
    "(1,'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE','Event sync'),"
    "(2,'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT','Stream wait event sync'),"
    "(3,'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE','Stream sync'),"
    "(4,'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE','Context sync');"
    "INSERT INTO ENUM_CUPTI_STREAM_TYPE VALUES "
    "(1,'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT','Default stream'),"
    "(2,'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING','Non-blocking stream'),"
    "(3,'CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL','Null stream');";

/* One prepared INSERT a table. */
enum {
    STRINGS,
    THREADS,
    PROCESSES,
    CAPTURE,
    EXPORT,
    DETAILS,
    SESSION,
    SYSTEM,
    GPU,
    CUDA_DEVICE,
    CONTEXT,
    STREAM,
    STREAM_NAME,
    RUNTIME,
    KERNEL,
    MEMCPY,
    MEMSET,
    SYNC,
    EVENT,
    HOST,
    NVTX,
    TABLES
};
static const char *const inserts[TABLES] = {
    [STRINGS] = "StringIds VALUES (?,?)",
    [THREADS] = "ThreadNames VALUES (?,0,?)",
    [PROCESSES] = "PROCESSES(globalPid,pid,name) VALUES (?,?,?)",
    [CAPTURE] = "META_DATA_CAPTURE VALUES (?,?)",
    [EXPORT] = "META_DATA_EXPORT VALUES (?,?)",
    [DETAILS] = "ANALYSIS_DETAILS VALUES (?,?,?,?)",
    [SESSION] =
        "TARGET_INFO_SESSION_START_TIME VALUES (0,'1970-01-01T00:00:00','1970-01-01T00:00:00')",
    [SYSTEM] = "TARGET_INFO_SYSTEM_ENV VALUES (0,'Threelane',?,0,?)",
    [GPU] = "TARGET_INFO_GPU(vmId,id,name,cuDevice) VALUES (0,?,?,?)",
    [CUDA_DEVICE] = "TARGET_INFO_CUDA_DEVICE(gpuId,cudaId,pid) VALUES (?,?,?)",
    [CONTEXT] = "TARGET_INFO_CUDA_CONTEXT_INFO VALUES (?,0,0,?,?,?,NULL,0)",
    [STREAM] = "TARGET_INFO_CUDA_STREAM VALUES (?,0,0,?,?,?,?)",
    [STREAM_NAME] = "TARGET_INFO_NVTX_CUDA_STREAM VALUES (?,0,0,?,?,?,?)",
    [RUNTIME] = "CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,0,?,?,?,?,NULL)",
    [KERNEL] = "CUPTI_ACTIVITY_KIND_KERNEL VALUES "
               "(?,?,?,?,NULL,?,?,?,?,?,?,1,0,0,?,?,?,?,?,?,0,?,0,0,?,NULL,NULL,"
               "NULL)",
    [MEMCPY] = "CUPTI_ACTIVITY_KIND_MEMCPY(start,end,deviceId,contextId,streamId,correlationId,"
               "globalPid,bytes,"
               "copyKind,srcKind,dstKind,copyCount) VALUES (?,?,?,?,?,?,?,?,?,?,?,1)",
    [MEMSET] = "CUPTI_ACTIVITY_KIND_MEMSET VALUES (?,?,?,?,NULL,?,?,?,0,?,NULL,?)",
    [SYNC] = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (?,?,?,?,NULL,?,?,?,?,?,NULL)",
    [EVENT] = "CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0,?,?,NULL,?,?,?,?,NULL)",
    [HOST] =
        "CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE_AND_HOST_LAUNCH VALUES (?,?,?,?,NULL,?,?,?,NULL,NULL)",
    [NVTX] =
        "NVTX_EVENTS(start,end,eventType,globalTid,textId,domainId,text) VALUES (?,?,?,?,?,0,?)",
};

typedef struct Name {
    const char *text;
    int64_t id;
} Name;

typedef struct Writer {
    sqlite3 *db;
    sqlite3_stmt *insert[TABLES];
    const Trace *t;
    Name *names;
    size_t n_names, room_names; /* hash table by address: the trace keeps one copy of each text */
    bool failed;
} Writer;

static void finish_row(Writer *w, sqlite3_stmt *row)
{
    if (sqlite3_step(row) != SQLITE_DONE) w->failed = true;
    sqlite3_reset(row);
}

static void bind_text(sqlite3_stmt *row, int at, const char *text)
{
    size_t size = strlen(text) + 1;
    char *safe = malloc(size); /* other tools expect UTF-8 */
    if (safe) sqlite3_bind_text(row, at, utf8_safe(text, safe, size), -1, free);
}

/* A row of numbers; n of them follow, as int64_t. */
static void put(Writer *w, int table, int n, ...)
{
    sqlite3_stmt *row = w->insert[table];
    va_list values;
    va_start(values, n);
    for (int i = 1; i <= n; i++) {
        int64_t value = va_arg(values, int64_t);
        if (value == NONE) sqlite3_bind_null(row, i);
        else sqlite3_bind_int64(row, i, value);
    }
    va_end(values);
    finish_row(w, row);
}

static void put_pair(Writer *w, int table, const char *name, const char *value)
{
    bind_text(w->insert[table], 1, name);
    bind_text(w->insert[table], 2, value);
    finish_row(w, w->insert[table]);
}

static size_t slot_of(const Writer *w, const char *text)
{
    size_t slot = ((uintptr_t)text * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & (w->room_names - 1);
    while (w->names[slot].text && w->names[slot].text != text)
        slot = (slot + 1) & (w->room_names - 1);
    return slot;
}

static int64_t string_id(Writer *w, const char *text)
{
    if (2 * w->n_names >= w->room_names) {
        Writer bigger = *w;
        bigger.room_names = w->room_names ? 2 * w->room_names : 1024;
        bigger.names = calloc(bigger.room_names, sizeof *bigger.names);
        if (!bigger.names) {
            w->failed = true;
            return 0;
        }
        for (size_t i = 0; i < w->room_names; i++) {
            if (w->names[i].text) bigger.names[slot_of(&bigger, w->names[i].text)] = w->names[i];
        }
        free(w->names);
        *w = bigger;
    }
    Name *name = &w->names[slot_of(w, text)];
    if (!name->text) {
        *name = (Name){text, (int64_t)++w->n_names};
        sqlite3_bind_int64(w->insert[STRINGS], 1, name->id);
        bind_text(w->insert[STRINGS], 2, text);
        finish_row(w, w->insert[STRINGS]);
    }
    return name->id;
}

/* The main thread's number is the process's, as Linux has it; the thread that runs host functions
 * has a bit that no number of Linux has. nsys_read.c knows both. */
static int64_t global_thread(const Trace *t, uint32_t thread)
{
    if (thread == 0 || t->threads[thread].role == TRACE_THREAD_MAIN)
        return GLOBAL_PROCESS | PROCESS;
    int64_t driver = t->threads[thread].role == TRACE_THREAD_DRIVER ? 0x800000 : 0;
    return GLOBAL_PROCESS | driver | ((PROCESS + (int64_t)thread) & 0x7fffff);
}

static int64_t time_or_last(const Trace *t, uint64_t ns)
{
    return (int64_t)(ns == TRACE_OPEN_NS ? t->last_ns : ns);
}

static int64_t memory_kind(TraceMemory memory)
{
    switch (memory) {
    case TRACE_MEM_PAGEABLE: return 0;
    case TRACE_MEM_PINNED:
    case TRACE_MEM_REGISTERED: return 1;
    case TRACE_MEM_DEVICE: return 2;
    case TRACE_MEM_MANAGED: return 4;
    default: return 7;
    }
}

static void write_surroundings(Writer *w)
{
    const Trace *t = w->t;
    put_pair(w, EXPORT, "EXPORT_PRODUCT_NAME", "Threelane");
    put_pair(w, EXPORT, "EXPORT_SCHEMA_VERSION", "3.24.0");
    for (uint32_t i = 1; i <= t->n_metas; i++) {
        char key[256];
        snprintf(key, sizeof key, "THREELANE_%s", t->metas[i].key);
        put_pair(w, CAPTURE, key, t->metas[i].value);
        put_pair(w, SYSTEM, t->metas[i].key, t->metas[i].value);
    }
    /* a trace knows no date: its clock is taken to begin with the epoch */
    finish_row(w, w->insert[SESSION]);
    put(w, DETAILS, 4, (int64_t)0, (int64_t)t->last_ns, (int64_t)0, (int64_t)t->last_ns);
    const char *program = trace_meta(t, "program");
    sqlite3_bind_int64(w->insert[PROCESSES], 1, GLOBAL_PROCESS);
    sqlite3_bind_int64(w->insert[PROCESSES], 2, PROCESS);
    bind_text(w->insert[PROCESSES], 3, program ? program : "");
    finish_row(w, w->insert[PROCESSES]);
    for (uint32_t id = 1; id <= t->n_threads; id++) {
        if (t->threads[id].name[0])
            put(w, THREADS, 2, string_id(w, t->threads[id].name), global_thread(t, id));
    }
    for (uint32_t id = 1; id <= t->n_devices; id++) {
        sqlite3_bind_int64(w->insert[GPU], 1, id - 1);
        bind_text(w->insert[GPU], 2, t->devices[id].name);
        sqlite3_bind_int64(w->insert[GPU], 3, id - 1);
        finish_row(w, w->insert[GPU]);
        put(w, CUDA_DEVICE, 3, (int64_t)id - 1, (int64_t)id - 1, (int64_t)PROCESS);
    }
    for (uint32_t id = 1; id <= t->n_streams; id++) {
        const TraceStream *stream = &t->streams[id];
        int64_t context = stream->device ? stream->device : 1, type = 1;
        if (stream->flavour == TRACE_STREAM_LEGACY) {
            put(w, CONTEXT, 4, (int64_t)id, (int64_t)PROCESS, context - 1, context);
            type = 3;
        } else if (stream->flavour == TRACE_STREAM_NONBLOCKING) {
            type = 2;
        }
        put(w, STREAM, 5, (int64_t)id, (int64_t)PROCESS, context, (int64_t)stream->priority, type);
        if (!stream->name[0]) continue;
        bind_text(w->insert[STREAM_NAME], 1, stream->name);
        sqlite3_bind_int64(w->insert[STREAM_NAME], 2, PROCESS);
        sqlite3_bind_int64(w->insert[STREAM_NAME], 3, context - 1);
        sqlite3_bind_int64(w->insert[STREAM_NAME], 4, context);
        sqlite3_bind_int64(w->insert[STREAM_NAME], 5, id);
        finish_row(w, w->insert[STREAM_NAME]);
    }
}

static void write_host(Writer *w)
{
    static const struct {
        const char *name;
        int64_t type;
    } waits[] = {
        {"cudaEventSynchronize", SYNC_EVENT},    {"cudaStreamSynchronize", SYNC_STREAM},
        {"cudaDeviceSynchronize", SYNC_CONTEXT}, {"cuEventSynchronize", SYNC_EVENT},
        {"cuStreamSynchronize", SYNC_STREAM},    {"cuCtxSynchronize", SYNC_CONTEXT},
    };
    const Trace *t = w->t;
    for (uint32_t id = 1; id <= t->n_calls && !w->failed; id++) {
        const TraceCall *call = &t->calls[id];
        if (call->start_ns == TRACE_OPEN_NS) continue;
        int64_t end = time_or_last(t, call->end_ns);
        put(w, RUNTIME, 6, (int64_t)call->start_ns, end, global_thread(t, call->thread),
            (int64_t)id, string_id(w, call->name), (int64_t)call->result);
        for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
            if (strcmp(call->name, waits[i].name) != 0) continue;
            put(w, SYNC, 9, (int64_t)call->start_ns, end, (int64_t)0, (int64_t)1,
                (int64_t)NO_STREAM, (int64_t)id, GLOBAL_PROCESS, waits[i].type, (int64_t)NO_STREAM);
        }
    }
    for (uint32_t id = 1; id <= t->n_ranges && !w->failed; id++) {
        const TraceRange *range = &t->ranges[id];
        if (range->start_ns == TRACE_OPEN_NS) continue;
        bind_text(w->insert[NVTX], 6, range->name); /* as Nsight has it; some tools read only that
                                                     */
        put(w, NVTX, 5, (int64_t)range->start_ns,
            range->end_ns == TRACE_OPEN_NS ? NONE : (int64_t)range->end_ns, (int64_t)NVTX_PUSH_POP,
            global_thread(t, range->thread), string_id(w, range->name));
    }
    for (uint32_t id = 1; id <= t->n_marks && !w->failed; id++) {
        bind_text(w->insert[NVTX], 6, t->marks[id].name);
        put(w, NVTX, 5, (int64_t)t->marks[id].ns, NONE, (int64_t)NVTX_MARK,
            global_thread(t, t->marks[id].thread), string_id(w, t->marks[id].name));
    }
}

static void write_op(Writer *w, uint32_t id)
{
    static const int64_t copy_kind[TRACE_OP_KINDS] = {
        [TRACE_H2D] = 1, [TRACE_D2H] = 2, [TRACE_D2D] = 8, [TRACE_H2H] = 9, [TRACE_P2P] = 10,
    };
    const Trace *t = w->t;
    const TraceOp *op = &t->ops[id];
    int64_t stream = op->stream, context = op->stream && t->streams[op->stream].device
                                               ? t->streams[op->stream].device
                                           : op->device ? op->device
                                                        : 1;
    int64_t device = context - 1, call = op->call ? (int64_t)op->call : NONE;
    if (op->kind == TRACE_RECORD) {
        if (op->event)
            put(w, EVENT, 6, device, context, stream, call, GLOBAL_PROCESS, (int64_t)op->event);
        return;
    }
    if (op->kind == TRACE_WAIT) {
        int64_t issued = op->issued_ns == TRACE_OPEN_NS ? 0 : (int64_t)op->issued_ns;
        if (op->event)
            put(w, SYNC, 9, issued, issued, device, context, stream, call, GLOBAL_PROCESS,
                (int64_t)SYNC_WAIT, (int64_t)op->event);
        return;
    }
    if (!trace_op_is_work(op) || op->start_ns == TRACE_OPEN_NS) return;
    int64_t start = (int64_t)op->start_ns, end = time_or_last(t, op->end_ns);
    if (end < start) end = start;
    if (op->kind == TRACE_KERNEL) {
        int64_t name = string_id(w, op->name);
        put(w, KERNEL, 18, start, end, device, context, stream, call, GLOBAL_PROCESS, name, name,
            name, (int64_t)op->grid.x, (int64_t)op->grid.y, (int64_t)op->grid.z,
            (int64_t)op->block.x, (int64_t)op->block.y, (int64_t)op->block.z,
            (int64_t)op->shared_bytes, (int64_t)id);
    } else if (op->kind == TRACE_MEMSET) {
        put(w, MEMSET, 9, start, end, device, context, stream, call, GLOBAL_PROCESS,
            (int64_t)op->bytes, memory_kind(op->to));
    } else if (op->kind == TRACE_HOSTFN) {
        put(w, HOST, 7, start, end, device, context, stream, call, GLOBAL_PROCESS);
    } else {
        put(w, MEMCPY, 11, start, end, device, context, stream, call, GLOBAL_PROCESS,
            (int64_t)op->bytes, copy_kind[op->kind], memory_kind(op->from), memory_kind(op->to));
    }
}

static bool fill(Writer *w)
{
    if (sqlite3_exec(w->db, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;", NULL, NULL,
                     NULL) ||
        sqlite3_exec(w->db, schema, NULL, NULL, NULL))
        return false;
    for (int i = 0; i < TABLES; i++) {
        char text[400];
        snprintf(text, sizeof text, "INSERT INTO %s", inserts[i]);
        if (sqlite3_prepare_v2(w->db, text, -1, &w->insert[i], NULL)) return false;
    }
    write_surroundings(w);
    write_host(w);
    for (uint32_t id = 1; id <= w->t->n_ops && !w->failed; id++) write_op(w, id);
    return !w->failed && !sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL);
}

static int copy_file(int fd, FILE *out)
{
    char block[65536];
    ssize_t got;
    for (off_t at = 0; (got = pread(fd, block, sizeof block, at)) != 0; at += got) {
        if (got < 0 || fwrite(block, 1, (size_t)got, out) != (size_t)got) return -1;
    }
    return fflush(out) ? -1 : 0;
}

int nsys_write(FILE *out, const Trace *t, char *error, size_t error_size)
{
    const char *folder = getenv(ENV_TMPDIR);
    char path[4096];
    snprintf(path, sizeof path, "%s/threelane-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(path), status = -1;
    if (fd < 0) {
        snprintf(error, error_size,
                 "%s: no temporary file can be made (TMPDIR names the folder): %s", path,
                 strerror(errno));
        return -1;
    }
    Writer w = {.t = t};
    if (!sqlite3_open_v2(path, &w.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) &&
        fill(&w)) {
        status = 0;
    } else {
        snprintf(error, error_size, "%s: %s", path,
                 w.db ? sqlite3_errmsg(w.db) : "not enough memory");
    }
    for (int i = 0; i < TABLES; i++) sqlite3_finalize(w.insert[i]);
    sqlite3_close(w.db);
    free(w.names);
    if (status == 0 && copy_file(fd, out) != 0) {
        snprintf(error, error_size, "%s", strerror(errno));
        status = -1;
    }
    unlink(path);
    close(fd);
    return status;
}
#else
typedef int NothingHere; /* a file must declare something */
#endif
