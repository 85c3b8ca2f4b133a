/* record.c - what the runtime writes into the trace. Ids of calls, allocations and ranges are given out here. */
#include "common/env.h"
#include "sim/runtime/runtime.h"
#include "sim/host/raw.h"
#include "timeline/trace/trace_write.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { OLD_NS = 50000000, KNOWN = 4096 };

bool record_on;
bool hazards_labelled;                /* something may be reported: what labels are made from is kept */
static TraceWriter *writer;
static pid_t owner;                   /* a forked child shares the file and must not finish it */
static uint32_t n_calls, n_ranges;
static uint64_t flushed_ns;
static bool known_thread[KNOWN];

void record_open(const char *where)
{
    int fd;
    if (strncmp(where, "fd:", 3) == 0) {
        char *end;
        long n = strtol(where + 3, &end, 10);
        fd = end != where + 3 && !*end && n >= 0 && n < 1 << 20 && fcntl((int)n, F_GETFD) >= 0 ? (int)n : -1;
        if (fd < 0)
            host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_TRACE "=%s: no open file has that number",
                       where);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    } else {
        fd = open(where, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0)
            host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, ENV_TRACE "=%s: cannot be written: %s", where,
                       strerror(errno));
    }
    writer = trace_write_open(fd);
    if (!writer) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for the trace");
    owner = getpid();
    record_on = true;
}

static uint64_t real_ns(void)
{
    struct timespec now = {0, 0};
    /* The clock functions, and syscall() too, tell virtual time. */
    raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC_COARSE, (long)&now, 0, 0, 0, 0);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void record_old(void)
{
    if (!record_on) return;
    uint64_t now = real_ns();
    if (now - flushed_ns < OLD_NS) return;
    trace_write_flush(writer);
    flushed_ns = now;
}

void record_close(int status, bool crashed)
{
    if (log_on) log_flush();
    if (!record_on || getpid() != owner) return;
    record_on = false;
    if (crashed) {                    /* only what a signal handler may do */
        trace_write_flush(writer);
        return;
    }
    if (host_clock_was_read()) trace_write_meta_u64(writer, "clock_read", 1);
    trace_write_exit(writer, host_now(), status);
    int error = trace_write_close(writer);
    if (error) fprintf(stderr, "threelane: the trace is incomplete: %s\n", strerror(error));
}

void record_meta(const char *key, const char *value)
{
    if (record_on) trace_write_meta(writer, key, value);
}

void record_meta_u64(const char *key, uint64_t value)
{
    if (record_on) trace_write_meta_u64(writer, key, value);
}

void record_device_table(void)
{
    if (!record_on) return;
    for (int i = 0; i < runtime.devices; i++) trace_write_device(writer, (uint32_t)i + 1, runtime.model.card);
    for (uint32_t i = 1; i <= engine_count(runtime.engine); i++) {
        uint32_t device;
        TraceEngineClass class_;
        const char *name;
        engine_describe(runtime.engine, i, &device, &class_, &name);
        trace_write_engine(writer, i, device, class_, name);
    }
}

void record_thread(uint32_t id, TraceThreadRole role, const char *name)
{
    if (!record_on || id >= KNOWN || known_thread[id]) return;
    known_thread[id] = true;
    trace_write_thread(writer, id, role, name ? name : "");
}

void record_know_thread(uint32_t id)
{
    if (!record_on || id >= KNOWN || known_thread[id]) return;
    char name[32];
    if (id == 1) strcpy(name, "main");
    else snprintf(name, sizeof name, "thread %u", id);
    record_thread(id, id == 1 ? TRACE_THREAD_MAIN : host_is_driver() ? TRACE_THREAD_DRIVER : TRACE_THREAD_HOST, name);
}

static uint32_t this_thread(void)
{
    uint32_t id = host_thread();
    record_know_thread(id);
    return id;
}

void record_stream(const Stream *stream)
{
    if (hazards_labelled) hazard_saw_stream(stream->id, (uint32_t)stream->device + 1, stream->flavour);
    if (!record_on) return;
    trace_write_stream(writer, stream->id, (uint32_t)stream->device + 1, stream->flavour, stream->priority,
                       host_now(), stream->made, "");
}

void record_streamend(const Stream *stream)
{
    if (record_on) trace_write_streamend(writer, stream->id, host_now(), stream->gone);
}

void record_name(const char *what, uint32_t id, const char *name)
{
    if (hazards_labelled && name) hazard_saw_name(what, id, name);
    if (record_on) trace_write_name(writer, what, id, name ? name : "");
}

uint32_t record_call(const char *name, TraceSite site)
{
    trace_write_call(writer, ++n_calls, this_thread(), name, host_now(), site);
    return n_calls;
}

void record_ret(uint32_t call, int32_t result)
{
    if (record_on) trace_write_ret(writer, call, host_now(), result);
}

/* Addresses of the program's own memory change from run to run; the trace has numbers of ours instead, the same in
 * every run: a range that was first seen as the N-th lies at N << RANGE_BITS. */
enum { RANGE_BITS = 40 };
typedef struct Range { uint64_t address, bytes, rank; } Range;
static Range *ranges;                 /* sorted by address */
static size_t n_seen, room_seen;

static uint64_t stable_address(uint64_t address, uint64_t bytes)
{
    size_t low = 0, high = n_seen;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    if (low && address - ranges[low - 1].address < ranges[low - 1].bytes) {
        Range *range = &ranges[low - 1];
        uint64_t offset = address - range->address;
        if (offset + bytes > range->bytes) range->bytes = offset + bytes;
        return (range->rank << RANGE_BITS) + offset;
    }
    if (n_seen == room_seen) {
        size_t room = room_seen ? 2 * room_seen : 256;
        Range *more = realloc(ranges, room * sizeof *ranges);
        if (!more) return 0;
        ranges = more;
        room_seen = room;
    }
    memmove(ranges + low + 1, ranges + low, (n_seen - low) * sizeof *ranges);
    n_seen++;
    ranges[low] = (Range){address, bytes ? bytes : 1, n_seen};
    return (uint64_t)n_seen << RANGE_BITS;
}

void record_alloc(const Call *call, const MemoryBlock *block)
{
    if (!record_on) return;
    uint64_t address = block->kind == TRACE_MEM_REGISTERED ? stable_address(block->address, block->bytes)
                                                           : block->address;
    trace_write_alloc(writer, block->id, call->id, block->kind, address, block->bytes);
}

void record_free(const Call *call, const MemoryBlock *block)
{
    if (record_on) trace_write_free(writer, block->id, call->id);
}

void record_event(const Call *call, const Event *event)
{
    if (record_on) trace_write_event(writer, event->id, call->id);
}

void record_eventend(const Call *call, const Event *event)
{
    if (record_on) trace_write_eventend(writer, event->id, call->id);
}

void record_op(EngineOp op, const TraceOp *facts)
{
    if (hazards_labelled) hazard_saw_op(op, facts->kind, facts->stream, facts->name);
    if (record_on) trace_write_op(writer, op, facts);
}

void record_uses(EngineOp op, bool write, const Place *place, uint64_t bytes)
{
    if (!record_on) return;
    uint64_t offset = place->alloc ? place->offset : stable_address(place->offset, bytes);
    trace_write_uses(writer, op, write, place->alloc, offset, bytes);
}

void record_started(EngineOp op, uint64_t ns, uint32_t engine)
{
    if (hazards_labelled) hazard_saw_start(op, ns);
    if (!record_on) return;
    trace_write_start(writer, op, ns, engine);
    const EngineCause *causes;
    uint32_t n = engine_causes(runtime.engine, op, &causes);
    for (uint32_t i = 0; i < n; i++) trace_write_why(writer, op, causes[i].kind, causes[i].by_op, causes[i].until_ns);
}

void record_ended(EngineOp op, uint64_t ns)
{
    if (record_on) trace_write_end(writer, op, ns);
}

uint32_t record_range(const char *name)
{
    n_ranges++;
    if (hazards_labelled) hazard_saw_range(n_ranges);
    if (record_on) trace_write_range(writer, n_ranges, this_thread(), host_now(), name);
    return n_ranges;
}

void record_rangeend(uint32_t range)
{
    if (hazards_labelled) hazard_saw_rangeend(range);
    if (record_on && range) trace_write_rangeend(writer, range, host_now());
}

void record_mark(const char *name)
{
    if (record_on) trace_write_mark(writer, this_thread(), host_now(), name);
}

void record_note(const TraceNote *note)
{
    TraceNote now = *note;
    now.ns = record_on ? host_now() : 0;
    if (record_on) trace_write_note(writer, &now);
}

void record_hazard(const TraceHazard *hazard)
{
    if (record_on) trace_write_hazard(writer, hazard);
}
