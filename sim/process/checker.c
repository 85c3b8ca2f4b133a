/* checker.c - tells the hazard room what happens in the runtime: everything that it hears of the
 * device, and of what host threads know of it, comes through here. (Of host threads among
 * themselves it hears from the host room, of the accesses of code from the executor.) */
#include "sim/hazard/failed.h"
#include "sim/process/checker.h"
#include "common/env.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/hazard/hazard.h"
#include "sim/hazard/hazard_report.h"
#include "sim/hazard/alloc_origin.h"
#include "sim/host/host.h"
#include "sim/host/malloced.h"
#include "sim/light/budget.h"
#include "sim/process/record.h"
#include "sim/runtime/call.h"
#include "sim/runtime/operation.h"
#include "sim/runtime/place.h"
#include "sim/runtime/stream.h"
#include "sim/runtime/work.h"

/* ---- things ---- */

static void stream_made(const Stream *stream)
{
    hazard_saw_stream(stream->id, (uint32_t)stream->device + 1, stream->flavour);
    hazard_stream(stream->id, stream->device, stream->flavour, stream->driver);
}

static void name(const char *what, uint32_t id, const char *text)
{
    if (text) hazard_saw_name(what, id, text);
}

static void range(uint32_t number, const char *text, TraceSide by)
{
    (void)by;
    (void)text;
    hazard_saw_range(number);
}

static void memory_made(const Call *call, const MemoryBlock *block)
{
    const void *pcs[ALLOC_ORIGIN_DEPTH];
    size_t n = host_backtrace(pcs, ALLOC_ORIGIN_DEPTH);
    ((MemoryBlock *)(uintptr_t)block)->trail = alloc_origin_know(block->made, call->name, pcs, n);

    if (block->kind == TRACE_MEM_REGISTERED)
        hazard_track((const void *)block->address, block->bytes);
    else hazard_new_memory((const void *)block->address, block->bytes);
}

static void frees(const Call *call, const MemoryBlock *block, bool waits)
{
    hazard_frees((const void *)block->address, block->bytes, call->site, waits);
}

/* Host code's accesses to this pageable memory count from now on. */
static void pageable(const Call *call, const void *address, size_t bytes, int argument)
{
    if (!hazard_on) return;
    hazard_track(address, bytes);
    hazard_name_pageable(address, bytes, call->site, NULL, argument);
}

/* A host function will use a local variable of a function that is still there: whether that is so
 * when it runs is seen later (look_at_frame), and what happens to the variable until then, here. */
static void local_variable(const Call *call, const void *data)
{
    enum { DATA = 2 }; /* the argument's number */
    size_t room = malloced_frame_room(data);
    if (room == SIZE_MAX) return;
    hazard_track(data, room);
    hazard_name_pageable(data, room, call->site, call->name, DATA);
}

/* ---- operations ---- */

/* The operations that are in another stream than the legacy default one: the last of them, and, of
 * each event's latest record there, what had been the last before it. */
typedef struct Recorded {
    uint32_t op, last_other; /* op 0: recorded elsewhere, or never */
    TraceSite site;
} Recorded;
static Recorded *recorded;
static uint32_t n_recorded, last_other, last_other_stream;

static void note_record(const Submitted *s)
{
    uint32_t event = s->operation->event;
    bool legacy = s->stream->flavour == TRACE_STREAM_LEGACY;
    if (s->operation->kind != TRACE_RECORD && s->operation->kind != TRACE_WAIT && !legacy)
        last_other = s->op, last_other_stream = s->stream->id;
    if (s->operation->kind != TRACE_RECORD) return;
    if (event >= n_recorded) {
        uint32_t n = 2 * event + 16;
        Recorded *grown = realloc(recorded, n * sizeof *grown);
        if (!grown) return;
        memset(grown + n_recorded, 0, (n - n_recorded) * sizeof *grown);
        recorded = grown;
        n_recorded = n;
    }
    recorded[event] = (Recorded){legacy ? (uint32_t)s->op : 0, last_other, s->operation->site};
}

static void measures(const Call *call, const Event *start, const Event *end)
{
    if (start->id >= n_recorded || end->id >= n_recorded) return;
    const Recorded *from = &recorded[start->id], *to = &recorded[end->id];
    if (!from->op || !to->op || to->last_other <= from->op) return;
    char headline[200], fix[120];
    snprintf(headline, sizeof headline,
             "%s measures work of another stream by events of the default stream", call->name);
    snprintf(fix, sizeof fix, "record both events in the stream of what is measured: {stream %u}",
             last_other_stream);
    hazard_report(&(HazardReport){
        .kind = HAZARD_DEFAULT_TIMING,
        .headline = headline,
        .first = {.verb = "records the first event", .site = from->site, .thread = host_thread()},
        .second = {.verb = "records the second event", .site = to->site, .thread = host_thread()},
        .why = "the default stream waits for all that is in blocking streams, so that the time "
               "holds whatever else is there, and it does not wait for non-blocking streams",
        .fix = fix});
}

static void submitted(const Submitted *s)
{
    const Operation *operation = s->operation;
    const Effect *effect = &operation->effect;
    const char *kernel = effect->kind == EFFECT_KERNEL ? s->work->effect.kernel->launch.name : "";
    bool allocates = operation->kind == TRACE_ALLOC;

    hazard_saw_op(s->op, operation->kind, s->stream->id, s->launch, kernel);
    if (hazard_wanted(HAZARD_DEFAULT_TIMING)) note_record(s);
    /* what a wait comes after is known by its event; what a pool makes an allocation wait for is
     * its own business */
    if (operation->kind != TRACE_WAIT && !allocates && !s->launch)
        for (int i = 0; i < s->n_after; i++) hazard_stream_after(s->stream->id, s->after[i]);
    if (operation->kind == TRACE_RECORD && s->n_early) {
        hazard_record_early(s->stream->id, operation->event, operation->site);
        return;
    }
    bool touches = (s->work && effect->kind != EFFECT_GRAPH) || allocates;
    bool decides = effect->kind == EFFECT_GRAPH && effect->graph.begins; /* when it begins */
    HazardOp *op = s->launch    ? hazard_submit_node(s->op, operation->kind, s->stream->id,
                                                     operation->event, operation->site, touches,
                                                     s->launch, s->after, s->n_after, decides)
                   : s->primary ? hazard_submit_early(s->op, s->stream->id, operation->site)
                                : hazard_submit(s->op, operation->kind, s->stream->id,
                                                operation->event, operation->site, touches);
    for (int i = 0; i < s->n_early; i++) hazard_op_direct(op, s->early[i]);
    if (operation->n_early) hazard_op_begins_early(op);
    if (s->work) s->work->hazard = op;
    if (hazard_on && effect->kind == EFFECT_FUNCTION && effect->function.frame_of)
        local_variable(s->call, effect->function.data);
    for (size_t n = 0;
         effect->kind == EFFECT_COPY && effect->copy.read_by_host && n < effect_slices(effect); n++)
        hazard_source_read(s->op, effect->copy.from + n * effect->copy.from_slice,
                           effect->copy.from_pitch, effect->copy.width, effect->copy.height,
                           operation->site, effect->copy.surely);
    if (!allocates) return;
    hazard_op_allocates(op, effect->allocated, operation->bytes);
    hazard_op_done(op);
}

static void waits_for_nothing(const Call *call, const Stream *stream, const Event *event)
{
    hazard_wait_nothing(stream->id, event->id, call->site);
}

static void started(EngineOp op, uint64_t ns, uint32_t engine)
{
    (void)engine;
    hazard_saw_start(op, ns);
}

static HazardOp *running; /* the kernel whose code runs at this moment */

static void kernel_runs(Work *work)
{
    running = work ? work->hazard : NULL;
    hazard_kernel(running);
}

static void touch_kernel(HazardOp *op, ExecRun *run)
{
    HazardBytes early[HAZARD_TOUCHES], sets[HAZARD_TOUCHES] = {0};
    if (exec_touched_early(run, early)) hazard_op_early(op, early);
    exec_touched(run, sets);
    hazard_op_bytes(op, sets);
}

static void kernel_stores(Work *work)
{
    if (work->hazard) touch_kernel(work->hazard, work->effect.kernel->run);
}

/* A host function runs later; by then the function that issued it may have returned, and its
 * variables with it. */
static void look_at_frame(const Work *work)
{
    uint32_t thread = work->effect.function.frame_of;
    if (!thread || call_stack_of(thread) <= (uintptr_t)work->effect.function.data) return;
    hazard_report(&(HazardReport){
        .kind = HAZARD_USE_AFTER_FREE,
        .headline = "{2} is given a local variable of a function that has returned before {2} runs",
        .second = {.verb = "runs", .op = work->op, .stream = work->stream, .site = work->site},
        .why = "host functions run later than the call that issues them, and what was on the stack "
               "may be anything then",
        .fix = "give it memory that lives until it has run: from malloc() or new, or a static "
               "variable"});
}

static void function_begins(Work *work)
{
    look_at_frame(work);
    if (work->hazard) hazard_host_function(work->hazard);
}

static void function_over(Work *work)
{
    if (work->hazard) hazard_host_function_over();
}

/* Where the checker has it: of a variable, the device's own. */
static const void *place_for(const Work *work, const void *address)
{
    int device = work->device;
    address = symbol_of_device(address, &device);
    if (!device || !symbols_own((uintptr_t)address, 1)) return address;
    return (const void *)hazard_own_copy((uintptr_t)address, device);
}

static void touch_slice(const Work *work, const Effect *effect)
{
    HazardOp *op = work->hazard;
    if (effect->kind == EFFECT_SET) {
        hazard_op_touches(op, true, effect->set.to, effect->set.pitch, effect->set.width,
                          effect->set.height);
        return;
    }
    if (!effect->copy.read_by_host)
        hazard_op_touches(op, false, place_for(work, effect->copy.from), effect->copy.from_pitch,
                          effect->copy.width, effect->copy.height);
    hazard_op_touches(op, true, place_for(work, effect->copy.to), effect->copy.to_pitch,
                      effect->copy.width, effect->copy.height);
}

static void touch_memory(const Work *work)
{
    if (work->effect.kind != EFFECT_COPY && work->effect.kind != EFFECT_SET) return;
    for (size_t n = 0; n < effect_slices(&work->effect); n++) {
        Effect slice = effect_slice(&work->effect, n);
        touch_slice(work, &slice);
    }
}

static void performed(Work *work)
{
    if (!work->hazard) return;
    touch_memory(work);
    if (work->effect.kind == EFFECT_RELEASE)
        hazard_op_frees(work->hazard, (const void *)work->effect.release->address,
                        work->effect.release->bytes);
    hazard_op_done(work->hazard);
}

/* ---- waits ---- */

static void waits(const Wait *wait)
{
    switch (wait->kind) {
    case WAIT_STREAM: hazard_before_stream(wait->id); break;
    case WAIT_EVENT: hazard_before_event(wait->id); break;
    case WAIT_DEVICE: hazard_before_device(wait->device); break;
    case WAIT_OWN:
    case WAIT_BEFORE_OWN: break;
    }
}

static void waited(const Wait *wait)
{
    HazardPromise promise = wait->by_luck ? HAZARD_BY_LUCK : HAZARD_PROMISED;
    switch (wait->kind) {
    case WAIT_STREAM: hazard_after_stream(wait->id, wait->call, wait->site, wait->ns); break;
    case WAIT_EVENT: hazard_after_event(wait->id, wait->call, wait->site, wait->ns); break;
    case WAIT_DEVICE:
        hazard_after_device(wait->device, wait->call, wait->site, wait->ns, promise);
        break;
    case WAIT_OWN: hazard_after_last(promise); break;
    case WAIT_BEFORE_OWN: hazard_after_before_last(); break;
    }
}

static const Observer checker = {.range = range,
                                 .range_over = hazard_saw_rangeend,
                                 .name = name,
                                 .stream_made = stream_made,
                                 .memory_made = memory_made,
                                 .frees = frees,
                                 .measures = measures,
                                 .pageable = pageable,
                                 .submitted = submitted,
                                 .waits_for_nothing = waits_for_nothing,
                                 .started = started,
                                 .kernel_runs = kernel_runs,
                                 .kernel_stores = kernel_stores,
                                 .function_begins = function_begins,
                                 .function_over = function_over,
                                 .performed = performed,
                                 .waits = waits,
                                 .waited = waited};

/* ---- start and end ---- */

static bool listens;

static void *thread_made(uint32_t id, bool program) { return hazard_thread_new(id, program); }
static void thread_began(void *thread) { hazard_thread_begin(thread); }
static void thread_joined(void *thread) { hazard_thread_joined(thread); }
static void thread_forgotten(void *thread) { hazard_thread_forget(thread); }

/* How many accesses of kernels are looked at. Who asks for checks gets them whole. */
static void set_budget(void)
{
    enum { USUAL = 1 << 26 };
    const char *asked = getenv(ENV_ACCESSES), *check = getenv(ENV_CHECK);
    exec_variables = symbols_all;
    if (!asked || !*asked) {
        bool whole = check && *check && strcmp(check, "off") != 0;
        budget_set(whole ? UINT64_MAX : USUAL);
    } else if (!budget_parse(asked)) {
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0},
                   ENV_ACCESSES "=%s: a whole number, or \"all\", is wanted", asked);
    }
}

void checker_start(void)
{
    static const HostOrder order = {.acquired = hazard_acquire,
                                    .releases = hazard_release,
                                    .made = thread_made,
                                    .began = thread_began,
                                    .ends = hazard_thread_end,
                                    .joined = thread_joined,
                                    .forgotten = thread_forgotten};
    char error[128];
    if (!hazard_configure(getenv(ENV_CHECK), exec_hooked(), error, sizeof error))
        host_fatal(HOST_STATUS_MISUSE, (TraceSite){NULL, 0}, "%s", error);
    for (int kind = 0; kind < HAZARD_KINDS; kind++) listens |= hazard_wanted((HazardKind)kind);
    if (listens) observer_add(&checker);
    memory_watch_written = hazard_wanted(HAZARD_UNINITIALISED);
    set_budget();

    if (!hazard_wants_clocks()) return;
    hazard_student = host_student;
    hazard_start();
    symbols_managed(hazard_track);
    exec_own_variables = symbols_own;
    host_set_order(&order);
}

bool checker_listens(void) { return listens; }

void checker_stop(void)
{
    listens = false;
    observer_remove(&checker);
}

static bool find_site(const void *pc, char *file, size_t file_size, uint32_t *line)
{
    HostPosition at;
    if (!host_position(pc, &at)) return false;
    snprintf(file, file_size, "%s", at.file);
    *line = at.line;
    return true;
}

static size_t find_frames(const void *const *pcs, size_t n, AllocOriginFrame *frames, size_t most)
{
    static HostPosition at[ALLOC_ORIGIN_DEPTH];
    size_t found =
        host_positions(pcs, n, at, most < ALLOC_ORIGIN_DEPTH ? most : ALLOC_ORIGIN_DEPTH);
    for (size_t i = 0; i < found; i++) {
        frames[i] = (AllocOriginFrame){.line = at[i].line, .pc = at[i].pc};
        memcpy(frames[i].file, at[i].file, sizeof frames[i].file);
        memcpy(frames[i].function, at[i].function, sizeof frames[i].function);
    }
    return found;
}

static void say_samples(void)
{
    char text[512];
    if (budget_text(text, sizeof text)) fprintf(stderr, "threelane: %s\n", text);
}

bool checker_finish(bool crashed)
{
    if (!listens) return false;
    checker_stop();
    hazard_end();
    failed_report();
    fflush(crashed ? stderr : stdout); /* after a crash stdout may be what is broken */
    const HostStop *stop = host_stopped();
    if (stop) hazard_stopped(exit_status_stop[stop->kind].word, stop->text, stop->site);
    HazardTally tally =
        hazard_finish(record_hazard, find_site, find_frames, program_invocation_short_name);
    say_samples();
    host_outcome_count("errors", tally.errors);
    host_outcome_count("notes", tally.notes);
    if (tally.errors + tally.notes == 0) return false;
    host_outcome("hazard", tally.kind);
    host_outcome("headline", tally.headline);
    return true;
}

/* ---- what has not ended when the program ends ---- */

void checker_stop_kernel(void)
{
    ExecRun *run = exec_stop();
    if (run && running) touch_kernel(running, run);
}

static void touch_unfinished(Work *work)
{
    if (!work->hazard) return;
    touch_memory(work);
    const Kernel *kernel = work->effect.kind == EFFECT_KERNEL ? work->effect.kernel : NULL;
    if (kernel && kernel->run && !kernel->published) touch_kernel(work->hazard, kernel->run);
}

void checker_touch_unfinished(void) { work_each(touch_unfinished); }
