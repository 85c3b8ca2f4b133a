/* trace_words.c - the words of FORMAT.md by enum value, for the writer (part of the runtime
 * library) and the reader. */
#include "timeline/trace/trace.h"

const char *const trace_op_word[TRACE_OP_KINDS] = {
    [TRACE_H2D] = "h2d",       [TRACE_D2H] = "d2h",       [TRACE_D2D] = "d2d",
    [TRACE_H2H] = "h2h",       [TRACE_P2P] = "p2p",       [TRACE_MEMSET] = "memset",
    [TRACE_KERNEL] = "kernel", [TRACE_HOSTFN] = "hostfn", [TRACE_RECORD] = "record",
    [TRACE_WAIT] = "wait",     [TRACE_ALLOC] = "alloc",   [TRACE_FREE] = "free",
    [TRACE_GRAPH] = "graph",
};

const char *const trace_cause_word[TRACE_CAUSE_KINDS] = {
    [TRACE_BY_HOST] = "host",       [TRACE_BY_STREAM] = "stream",   [TRACE_BY_EVENT] = "event",
    [TRACE_BY_LEGACY] = "legacy",   [TRACE_BY_ENGINE] = "engine",   [TRACE_BY_ROOM] = "room",
    [TRACE_BY_GRIDS] = "grids",     [TRACE_BY_QUEUE] = "queue",     [TRACE_BY_DRIVER] = "driver",
    [TRACE_BY_LATENCY] = "latency", [TRACE_BY_MEMORY] = "memory",   [TRACE_BY_POOL] = "pool",
    [TRACE_BY_GRAPH] = "graph",     [TRACE_BY_TRIGGER] = "trigger",
};

const char *const trace_inside_word[TRACE_INSIDE_KINDS] = {
    [TRACE_INSIDE_BARRIERS] = "barriers",     [TRACE_INSIDE_READS] = "reads",
    [TRACE_INSIDE_WRITES] = "writes",         [TRACE_INSIDE_LOAD_COMPUTE] = "load-compute",
    [TRACE_INSIDE_LOAD_STORE] = "load-store", [TRACE_INSIDE_COMPUTE_STORE] = "compute-store",
    [TRACE_INSIDE_CLUSTER] = "cluster",
};

const char *const trace_moment_word[TRACE_MOMENT_KINDS] = {
    [TRACE_MOMENT_TRIGGER] = "trigger",
    [TRACE_MOMENT_DEPENDENCY] = "dependency",
};

const char *const trace_engine_word[TRACE_ENGINE_CLASSES] = {
    [TRACE_ENGINE_H2D] = "h2d",         [TRACE_ENGINE_D2H] = "d2h",   [TRACE_ENGINE_COPY] = "copy",
    [TRACE_ENGINE_COMPUTE] = "compute", [TRACE_ENGINE_HOST] = "host", [TRACE_ENGINE_LINK] = "link",
};

const char *const trace_memory_word[TRACE_MEMORIES] = {
    [TRACE_MEM_NONE] = "-",          [TRACE_MEM_DEVICE] = "device",
    [TRACE_MEM_PINNED] = "pinned",   [TRACE_MEM_PAGEABLE] = "pageable",
    [TRACE_MEM_MANAGED] = "managed", [TRACE_MEM_REGISTERED] = "registered",
};

const char *const trace_stream_word[TRACE_STREAM_FLAVOURS] = {
    [TRACE_STREAM_LEGACY] = "legacy",
    [TRACE_STREAM_PER_THREAD] = "per-thread",
    [TRACE_STREAM_BLOCKING] = "blocking",
    [TRACE_STREAM_NONBLOCKING] = "nonblocking",
};

const char *const trace_thread_word[TRACE_THREAD_ROLES] = {
    [TRACE_THREAD_MAIN] = "main",
    [TRACE_THREAD_HOST] = "host",
    [TRACE_THREAD_DRIVER] = "driver",
};

const char *const trace_side_word[TRACE_SIDES] = {
    [TRACE_SIDE_NONE] = "-",
    [TRACE_SIDE_HARNESS] = "harness",
    [TRACE_SIDE_STUDENT] = "student",
};

const char *const trace_severity_word[TRACE_SEVERITIES] = {
    [TRACE_INFO] = "info",
    [TRACE_WARNING] = "warning",
    [TRACE_ERROR] = "error",
};
