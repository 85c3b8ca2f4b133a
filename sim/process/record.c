/* record.c - writes what happens in the runtime into the trace. Ids of calls are given out here. */
#include "sim/process/record.h"
#include "common/env.h"
#include "sim/host/raw.h"
#include "sim/host/host.h"
#include "sim/host/malloced.h"
#include "sim/nested/nested.h"
#include "sim/runtime/call.h"
#include "sim/runtime/operation.h"
#include "sim/runtime/stream.h"
#include "sim/runtime/work.h"
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

static TraceWriter *writer; /* NULL: no trace is written */
static pid_t owner;         /* a forked child shares the file and must not finish it */
static uint32_t n_calls;
static uint64_t flushed_ns;
static bool known_thread[KNOWN];

static const Observer recorder;
static void forget_ranges(uintptr_t block, size_t bytes);

void record_open(const char *where)
{
    int fd;
    if (strncmp(where, "fd:", 3) == 0) {
        char *end;
        long n = strtol(where + 3, &end, 10);
        fd = end != where + 3 && !*end && n >= 0 && n < 1 << 20 && fcntl((int)n, F_GETFD) >= 0
                 ? (int)n
                 : -1;
        if (fd < 0)
            host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                       ENV_TRACE "=%s: no open file has that number", where);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    } else {
        fd = open(where, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (fd < 0)
            host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                       ENV_TRACE "=%s: cannot be written: %s", where, strerror(errno));
    }
    writer = trace_write_open(fd);
    if (!writer) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory for the trace");
    owner = getpid();
    malloced_forget = forget_ranges;
    observer_add(&recorder);
}

static uint64_t real_ns(void)
{
    struct timespec now = {0, 0};
    /* The clock functions, and syscall() too, tell virtual time. */
    raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC_COARSE, (long)&now, 0, 0, 0, 0);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void waited_long(void)
{
    uint64_t now = real_ns();
    if (now - flushed_ns < OLD_NS) return;
    trace_write_flush(writer);
    flushed_ns = now;
}

void record_close(int status, bool crashed)
{
    if (!writer || getpid() != owner) return;
    TraceWriter *to = writer;
    observer_remove(&recorder);
    writer = NULL;
    if (crashed) {
        trace_write_flush(to);
        return;
    }
    if (host_clock_was_read()) trace_write_meta_u64(to, "clock_read", 1);
    trace_write_exit(to, host_now(), status);
    int error = trace_write_close(to);
    if (error) fprintf(stderr, "threelane: the trace is incomplete: %s\n", strerror(error));
}

void record_take_over(void) { owner = getpid(); }

void record_pause(bool pause)
{
    if (!writer) return;
    if (pause) observer_remove(&recorder);
    else observer_add(&recorder);
}

static void meta(const char *key, const char *value) { trace_write_meta(writer, key, value); }

static void engines(void)
{
    for (int i = 0; i < runtime.devices; i++)
        trace_write_device(writer, (uint32_t)i + 1, device_model(i)->card);
    for (uint32_t i = 1; i <= engine_count(runtime.engine); i++) {
        TraceEngine it = engine_describe(runtime.engine, i);
        char link[64];
        snprintf(link, sizeof link, "GPU %u to GPU %u", it.device - 1, it.to - 1);
        if (it.class_ == TRACE_ENGINE_LINK) trace_write_link(writer, i, it.device, it.to, link);
        else trace_write_engine(writer, i, it.device, it.class_, it.name);
    }
}

void record_thread(uint32_t id, TraceThreadRole role, const char *name)
{
    if (!writer || id >= KNOWN || known_thread[id]) return;
    known_thread[id] = true;
    trace_write_thread(writer, id, role, name ? name : "");
}

static void know_thread(uint32_t id)
{
    if (id >= KNOWN || known_thread[id]) return;
    char text[32];
    if (id == 1) strcpy(text, "main");
    else snprintf(text, sizeof text, "thread %u", id);
    record_thread(id,
                  id == 1            ? TRACE_THREAD_MAIN
                  : host_is_driver() ? TRACE_THREAD_DRIVER
                                     : TRACE_THREAD_HOST,
                  text);
}

static uint32_t this_thread(void)
{
    uint32_t id = host_thread();
    know_thread(id);
    return id;
}

static void stream_made(const Stream *stream)
{
    trace_write_stream(writer, stream->id, (uint32_t)stream->device + 1, stream->flavour,
                       stream->priority, host_now(), stream->made, "");
}

static void stream_gone(const Stream *stream, TraceSite site)
{
    trace_write_streamend(writer, stream->id, host_now(), site);
}

static void name(const char *what, uint32_t id, const char *text)
{
    if (!strcmp(what, "thread")) know_thread(id);
    trace_write_name(writer, what, id, text ? text : "");
}

static void call(Call *begun)
{
    begun->id = ++n_calls;
    trace_write_call(writer, begun->id, this_thread(), begun->name, host_now(), begun->site,
                     host_side());
}

static void ret(const Call *over) { trace_write_ret(writer, over->id, host_now(), over->result); }

/* Addresses of the program's own memory change from run to run; the trace has numbers of ours
 * instead, the same in every run: a range that was first seen as the N-th lies at N <<
 * RANGE_BITS. */
enum { RANGE_BITS = 40 };
typedef struct Range {
    uint64_t address, bytes, rank;
} Range;
static Range *ranges; /* sorted by address */
static size_t n_seen, room_seen;
static uint64_t last_rank;

/* How many begin at or below the address. */
static size_t ranges_upto(uint64_t address)
{
    size_t low = 0, high = n_seen;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (ranges[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* What comes to lie there is another range, even if it happens to get the same address. */
static void forget_ranges(uintptr_t block, size_t bytes)
{
    if (!n_seen || !bytes) return;
    size_t from = block ? ranges_upto(block - 1) : 0, to = ranges_upto(block + bytes - 1);
    memmove(ranges + from, ranges + to, (n_seen - to) * sizeof *ranges);
    n_seen -= to - from;
}

static uint64_t stable_address(uint64_t address, uint64_t bytes)
{
    size_t low = ranges_upto(address);
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
    ranges[low] = (Range){address, bytes ? bytes : 1, ++last_rank};
    return last_rank << RANGE_BITS;
}

static void memory_made(const Call *by, const MemoryBlock *block)
{
    uint64_t address = block->kind == TRACE_MEM_REGISTERED
                           ? stable_address(block->address, block->bytes)
                           : block->address;
    trace_write_alloc(writer, block->id, by->id, block->kind, address, block->bytes);
}

static void memory_gone(const Call *by, const MemoryBlock *block)
{
    trace_write_free(writer, block->id, by->id);
}

static void event_made(const Call *by, const Event *event)
{
    trace_write_event(writer, event->id, by->id);
}

static void event_gone(const Call *by, const Event *event)
{
    trace_write_eventend(writer, event->id, by->id);
}

/* ---- operations ---- */

static void submitted(const Submitted *s)
{
    const Operation *operation = s->operation;
    TraceOp op = {.kind = operation->kind,
                  .call = s->call->id,
                  .device = (uint32_t)s->stream->device + 1,
                  .stream = s->stream->id,
                  .event = operation->event,
                  .from = operation->from,
                  .to = operation->to,
                  .issued_ns = s->issued_ns,
                  .bytes = operation->bytes,
                  .launch = s->launch,
                  .made = s->launch ? operation->site : (TraceSite){NULL, 0},
                  .captured = operation->captured,
                  .name = operation->name ? operation->name : ""};
    if (operation->effect.kind == EFFECT_KERNEL) {
        const ExecLaunch *launch = &s->work->effect.kernel->launch;
        op.name = launch->name;
        op.grid = launch->grid;
        op.block = launch->block;
        op.shared_bytes = (uint32_t)launch->shared_bytes;
    }
    trace_write_op(writer, s->op, &op);
    for (int i = 0; i < operation->n_uses; i++) {
        const OperationUse *use = &operation->uses[i];
        uint64_t offset = use->alloc ? use->offset : stable_address(use->offset, use->bytes);
        trace_write_uses(writer, s->op, use->write, use->alloc, offset, use->bytes);
    }
}

static void started(EngineOp op, uint64_t ns, uint32_t engine)
{
    trace_write_start(writer, op, ns, engine);
    const EngineCause *causes;
    uint32_t n = engine_causes(runtime.engine, op, &causes);
    for (uint32_t i = 0; i < n; i++)
        trace_write_why(writer, op, causes[i].kind, causes[i].by_op, causes[i].until_ns);
}

/* Memory of the host's that a kernel has read or written over the bus, block by block. */
typedef struct Reached {
    EngineOp op;
    const MemoryBlock *block;
    uint64_t first, read, written;
} Reached;

static void tell_reached(const Reached *r)
{
    uint64_t offset = r->block ? r->first - r->block->address : 0;
    if (r->read) trace_write_uses(writer, r->op, false, r->block->id, offset, r->read);
    if (r->written) trace_write_uses(writer, r->op, true, r->block->id, offset, r->written);
}

static void reached(void *arg, uintptr_t first, uint64_t read, uint64_t written)
{
    Reached *r = arg;
    const MemoryBlock *block = memory_find((const void *)first);
    if (!block || block->kind == TRACE_MEM_DEVICE) return; /* the program's own variables */
    if (r->block != block) {
        tell_reached(r);
        *r = (Reached){.op = r->op, .block = block, .first = first};
    }
    if (first < r->first) r->first = first;
    r->read += read;
    r->written += written;
}

static void touched_inside(EngineOp op, TraceInsideKind kind, uint32_t alloc,
                           const ExecInsideTouch *touch)
{
    if (!touch->bytes) return;
    TraceInside record = {.op = op,
                          .kind = kind,
                          .alloc = alloc,
                          .n = touch->bytes,
                          .of = touch->different,
                          .ns = touch->first_ns};
    trace_write_inside(writer, &record);
}

static void inside(EngineOp op, const ExecLaunch *launch, const ExecInside *facts)
{
    static const TraceInsideKind leads[EXEC_LEADS] = {[EXEC_LOAD_COMPUTE] =
                                                          TRACE_INSIDE_LOAD_COMPUTE,
                                                      [EXEC_LOAD_STORE] = TRACE_INSIDE_LOAD_STORE,
                                                      [EXEC_COMPUTE_STORE] =
                                                          TRACE_INSIDE_COMPUTE_STORE};
    TraceInside barriers = {.op = op, .kind = TRACE_INSIDE_BARRIERS, .n = facts->barriers};
    trace_write_inside(writer, &barriers);
    const TraceDim *grid = &launch->grid, *cluster = &launch->cluster;
    TraceInside clusters = {.op = op,
                            .kind = TRACE_INSIDE_CLUSTER,
                            .n = (uint64_t)cluster->x * cluster->y * cluster->z,
                            .of = (uint64_t)grid->x * grid->y * grid->z};
    if (clusters.n) trace_write_inside(writer, &clusters);
    for (size_t i = 0; i < facts->n_memories; i++) {
        const ExecInsideMemory *m = &facts->memories[i];
        touched_inside(op, TRACE_INSIDE_READS, m->alloc, &m->read);
        touched_inside(op, TRACE_INSIDE_WRITES, m->alloc, &m->written);
    }
    for (int i = 0; i < EXEC_LEADS; i++) {
        TraceInside lead = {.op = op,
                            .kind = leads[i],
                            .n = (uint64_t)facts->lead[i],
                            .of = (uint64_t)facts->whole};
        if (facts->has_lead[i]) trace_write_inside(writer, &lead);
    }
}

static void kernel_stores(Work *work)
{
    if (!work->effect.kernel->run) return;
    Reached r = {.op = work->op};
    exec_elsewhere(work->effect.kernel->run, reached, &r);
    tell_reached(&r);
    const ExecInside *facts = work->effect.kernel->run->inside;
    if (facts) inside(work->op, &work->effect.kernel->launch, facts);
}

/* The grids that a kernel has launched, in the time that it took. */
typedef struct Launcher {
    const Work *work;
    uint64_t start_ns, ns, told; /* of the kernel; how many of its grids are in the trace */
} Launcher;
enum { NESTED_TOLD = 4096 }; /* of one kernel */

static uint64_t nested_time(const Launcher *l, uint64_t ns)
{
    uint64_t whole = l->work->effect.kernel->run->nested_ns;
    return l->start_ns + (uint64_t)((double)ns * (double)l->ns / (double)whole + 0.5);
}

static uint32_t tell_grid(void *arg, const NestedGrid *grid)
{
    Launcher *l = arg;
    const ExecLaunch *launch = grid->launch;
    uint32_t id = l->told++ < NESTED_TOLD ? engine_number(runtime.engine) : 0;
    if (!id) return l->work->op;
    uint64_t start_ns = nested_time(l, grid->begin_ns);
    TraceOp op = {.kind = TRACE_KERNEL,
                  .device = (uint32_t)launch->device + 1,
                  .stream = l->work->stream,
                  .issued_ns = l->start_ns,
                  .launch = grid->parent,
                  .made = launch->site,
                  .name = launch->name,
                  .grid = launch->grid,
                  .block = launch->block,
                  .shared_bytes = (uint32_t)launch->shared_bytes};
    trace_write_op(writer, id, &op);
    trace_write_start(writer, id, start_ns, engine_op_engine(runtime.engine, l->work->op));
    trace_write_why(writer, id, TRACE_BY_GRAPH, grid->after, start_ns);
    trace_write_end(writer, id, nested_time(l, grid->end_ns));
    return id;
}

static void nested(Work *work)
{
    uint64_t start = engine_op_start_ns(runtime.engine, work->op);
    Launcher l = {.work = work,
                  .start_ns = start,
                  .ns = engine_op_end_ns(runtime.engine, work->op) - start};
    nested_each(work->effect.kernel->run, work->op, tell_grid, &l);
}

static void moment(EngineOp op, TraceMomentKind kind, uint64_t ns)
{
    trace_write_moment(writer, op, kind, ns);
}

static void ended(EngineOp op, uint64_t ns) { trace_write_end(writer, op, ns); }

/* ---- what the program says of itself ---- */

static void range(uint32_t number, const char *text, TraceSide by)
{
    trace_write_range(writer, number, this_thread(), host_now(), text, by);
}

static void range_over(uint32_t number)
{
    if (number) trace_write_rangeend(writer, number, host_now());
}

static void mark(const char *text, TraceSide by)
{
    trace_write_mark(writer, this_thread(), host_now(), text, by);
}

static void note(const TraceNote *text)
{
    TraceNote now = *text;
    now.ns = host_now();
    trace_write_note(writer, &now);
}

void record_hazard(const TraceHazard *hazard)
{
    if (writer) trace_write_hazard(writer, hazard);
}

static const Observer recorder = {.meta = meta,
                                  .engines = engines,
                                  .note = note,
                                  .waited_long = waited_long,
                                  .call = call,
                                  .ret = ret,
                                  .range = range,
                                  .range_over = range_over,
                                  .mark = mark,
                                  .name = name,
                                  .stream_made = stream_made,
                                  .stream_gone = stream_gone,
                                  .event_made = event_made,
                                  .event_gone = event_gone,
                                  .memory_made = memory_made,
                                  .memory_gone = memory_gone,
                                  .submitted = submitted,
                                  .nested = nested,
                                  .kernel_stores = kernel_stores,
                                  .started = started,
                                  .moment = moment,
                                  .ended = ended};
