#include "sim/runtime/operation.h"
#include "sim/runtime/durations.h"
#include <stdlib.h>
#include <string.h>

/* Launches are counted: the n-th of a kernel takes the n-th recorded time. */
static void look_up_duration(Kernel *kernel)
{
    const ExecLaunch *launch = &kernel->launch;
    kernel->estimate = false;
    if (!durations_next(launch->name, launch->grid, launch->block, &kernel->recorded_ns,
                        &kernel->estimate))
        kernel->recorded_ns = 0;
}

/* What is submitted of a kernel: itself, or of a kept one a launch of its own. */
static bool take_kernel(Operation *operation, const Stream *stream, Effect *effect)
{
    if (operation->kept) effect->kernel = kernel_again(operation->effect.kernel);
    else operation->effect.kernel = NULL;
    if (!effect->kernel) return false;
    effect->kernel->launch.stream = stream->id;
    look_up_duration(effect->kernel);
    return true;
}

/* It does not go into the stream. */
static cudaError_t not_submitted(Call *call, Operation *operation, cudaError_t error)
{
    if (!operation->kept || error == cudaSuccess) operation_release(operation);
    call->op = 0;
    return error;
}

/* The kernel whose end a launch need not wait for; 0: none. */
static EngineOp early_of(const Stream *stream, const Operation *operation)
{
    if (!operation->launch.overlaps || operation->graph) return 0;
    return engine_primary(runtime.engine, stream->id);
}

/* Kernels whose triggers streams have been made to wait for, until those streams' next work. */
static struct {
    uint32_t stream;
    EngineOp kernel;
    bool ends; /* it is waited for to its end */
} awaited[64];
static int n_awaited;

void operation_early(const Stream *stream, EngineOp kernel, bool ends)
{
    enum { MOST = sizeof awaited / sizeof *awaited };
    if (n_awaited == MOST) memmove(awaited, awaited + 1, (size_t)--n_awaited * sizeof *awaited);
    awaited[n_awaited].stream = stream->id;
    awaited[n_awaited].ends = ends;
    awaited[n_awaited++].kernel = kernel;
}

/* Those of a stream; they are awaited no more. */
static int take_awaited(const Stream *stream, EngineOp kernels[64], bool *ends)
{
    int n = 0, kept = 0;
    for (int i = 0; i < n_awaited; i++) {
        if (awaited[i].stream == stream->id) {
            *ends |= awaited[i].ends;
            kernels[n++] = awaited[i].kernel;
        } else awaited[kept++] = awaited[i];
    }
    n_awaited = kept;
    return n;
}

/* What the kernel's cudaGridDependencySynchronize() waits for: a graph gives it all of that. In a
 * stream, a kernel is not over before those are that it did not wait for itself, as measured; a
 * program can count on the last one alone. */
static bool depend(Kernel *kernel, const Operation *operation, EngineOp primary,
                   const EngineOp *others, int n_others)
{
    enum { MOST = 64 };
    EngineOp before[MOST];
    if (operation->graph) {
        int all = operation->n_direct + operation->n_behind;
        return !all || kernel_depends(kernel, operation->direct, (uint32_t)all);
    }
    uint32_t n =
        primary ? engine_stream_early(runtime.engine, kernel->launch.stream, before, MOST) : 0;

    if (n && !kernel_depends(kernel, before, n)) return false;
    if (primary && !kernel_depends(kernel, &primary, 1)) return false;
    for (int i = 0; i < n_others; i++)
        if (!kernel_depends_as(kernel, others[i])) return false;
    return !n_others || kernel_depends(kernel, others, (uint32_t)n_others);
}

/* An event of a launch: it stands for all blocks having triggered, or having begun. */
static void record_of_launch(Call *call, const Stream *stream, cudaEvent_t handle, EngineOp kernel,
                             bool begun, bool ends)
{
    Event *event = handle ? event_of(call, handle) : NULL;
    if (!event) return;
    EngineSubmit submit = {.kind = TRACE_RECORD,
                           .stream = stream->id,
                           .early = &kernel,
                           .n_early = 1,
                           .n_begun = begun,
                           .apart = true};
    Operation record = {.kind = TRACE_RECORD, .event = event->id, .site = call->site};
    uint64_t now = host_now();
    event->op = engine_submit(runtime.engine, &submit, now);
    event->early = kernel;
    event->early_ends = ends;
    if (!event->op)
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");
    TELL(submitted, &(Submitted){.op = event->op,
                                 .call = call,
                                 .stream = stream,
                                 .operation = &record,
                                 .kind = record.kind,
                                 .event = record.event,
                                 .issued_ns = now,
                                 .early = &kernel,
                                 .n_early = 1});
}

/* A question (sim/whatif): it lasts so many times as long. */
static void change_length(Operation *operation, double times)
{
    if (operation->kind == TRACE_KERNEL) operation->effect.kernel->times = times;
    else if (operation->kind < TRACE_KERNEL)
        operation->work_ns = (uint64_t)((double)operation->work_ns * times + 0.5);
}

/* It begins when all that it depends on has ended. A list that is to be freed. */
static EngineOp *wait_for_all(const Operation *operation, EngineSubmit *submit)
{
    int n = submit->n_after + operation->n_direct;
    EngineOp *all = malloc(((size_t)n + 1) * sizeof *all);
    if (!all)
        host_fatal(HOST_STATUS_CRASH, operation->site, "out of memory for pending operations");
    if (submit->n_after) memcpy(all, submit->after, (size_t)submit->n_after * sizeof *all);
    memcpy(all + submit->n_after, operation->direct, (size_t)operation->n_direct * sizeof *all);
    submit->after = all;
    submit->n_after = n;
    submit->n_early = submit->n_begun = 0;
    return all;
}

/* What the engine has to know of it. A node may run on another device than its launch's stream. */
static EngineSubmit for_engine(const Stream *stream, int device, const Operation *operation,
                               const EngineOp *after, int n_after)
{
    const LaunchAttributes *launch = &operation->launch;
    return (EngineSubmit){.kind = operation->kind,
                          .stream =
                              device == stream->device ? stream->id : stream_legacy(device)->id,
                          .work_ns = operation->work_ns,
                          .blocks = operation->blocks,
                          .blocks_per_sm = operation->blocks_per_sm,
                          .together = operation->together,
                          .groups_at_once = operation->groups_at_once,
                          .own_priority = launch->own_priority || stream->priority_changed,
                          .priority = launch->own_priority ? launch->priority : stream->priority,
                          .after = after,
                          .n_after = n_after,
                          .in_pieces = operation->in_pieces,
                          .parts = operation->timed,
                          .graph = operation->graph,
                          .copies_from = operation->copies_from,
                          .copies_to = operation->copies_to,
                          .programmatic = launch->overlaps,
                          .early = operation->early,
                          .n_early = operation->n_early,
                          .n_begun = operation->n_begun};
}

/* What is to be done when the engine says so; NULL: nothing. aside: the bytes of a copy that were
 * put aside. */
static Work *keep_work(const Call *call, const Stream *stream, Operation *operation, int device,
                       void *aside, EngineOp primary, const EngineOp *others, int n_others)
{
    const Effect *effect = &operation->effect;
    if (effect->kind == EFFECT_NONE) return NULL;
    Work *work = work_keep(call->op, effect, stream->id, operation->site);
    work->device = device;
    if (effect->kind == EFFECT_COPY) work->effect.copy.aside = aside;
    if (effect->kind == EFFECT_KERNEL &&
        (!take_kernel(operation, stream, &work->effect) ||
         !depend(work->effect.kernel, operation, primary, others, n_others)))
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");
    return work;
}

/* The events that a launch's attributes ask to be recorded with it. */
static void record_launch_events(Call *call, const Stream *stream, const Operation *operation)
{
    EngineOp kernel = call->op;
    const LaunchAttributes *launch = &operation->launch;
    record_of_launch(call, stream, launch->programmatic_event, kernel, launch->at_block_start,
                     true);
    record_of_launch(call, stream, launch->completion_event, kernel, true, false);
}

cudaError_t operation_submit(Call *call, const Stream *stream, Operation *operation,
                             const EngineOp *after, int n_after)
{
    if (__builtin_expect(call->change && call->change->times > 0, 0))
        change_length(operation, call->change->times);
    cudaError_t error = operation->graph ? cudaSuccess : CAPTURE_RULE(work, call, stream);
    if (__builtin_expect(error || stream->keeper, 0)) {
        if (!error) error = stream->keeper->keep(stream->keeper, call, stream, operation);
        return not_submitted(call, operation, error);
    }

    const Effect *effect = &operation->effect;
    /* what a node decides is issued when it does, whatever the host does meanwhile */
    uint64_t now = host_now();
    if (operation->graph && now < runtime.device_ns) now = runtime.device_ns;

    void *aside = NULL;
    if (effect->kind == EFFECT_COPY && effect->copy.put_aside && !(aside = work_put_aside(effect)))
        return cudaErrorMemoryAllocation;
    int device = operation->device ? operation->device - 1 : stream->device;
    EngineSubmit submit = for_engine(stream, device, operation, after, n_after);

    EngineOp primary = early_of(stream, operation), others[64];
    int n_others = 0;
    bool ends = false;
    if (n_awaited && operation->kind < TRACE_RECORD && !operation->graph)
        n_others = take_awaited(stream, others, &ends);
    if (n_others && ends && !n_after) { /* as measured */
        submit.after = others;
        submit.n_after = n_others;
    }
    const EngineOp *direct = operation->graph ? operation->direct : others;
    int n_direct = operation->graph ? operation->n_direct : n_others;

    EngineOp *all = operation->serial ? wait_for_all(operation, &submit) : NULL;
    call->op = engine_submit(runtime.engine, &submit, now);
    free(all);
    call_issued();
    if (!call->op)
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");

    Work *work = keep_work(call, stream, operation, device, aside, primary, others, n_others);
    TELL(submitted, &(Submitted){.op = call->op,
                                 .call = call,
                                 .stream = stream,
                                 .operation = operation,
                                 .kind = operation->kind,
                                 .event = operation->event,
                                 .launch = operation->graph,
                                 .issued_ns = engine_op_issued_ns(runtime.engine, call->op),
                                 .after = after,
                                 .n_after = n_after,
                                 .primary = primary,
                                 .early = direct,
                                 .n_early = n_direct,
                                 .work = work});
    if (operation->kind == TRACE_KERNEL) record_launch_events(call, stream, operation);
    return cudaSuccess;
}

/* ---- kept ---- */

bool operation_keep(Operation *copy, Operation *operation)
{
    if (operation->kind == TRACE_ALLOC || operation->kind == TRACE_FREE) return false;
    *copy = *operation;
    if (operation->effect.kind == EFFECT_KERNEL &&
        !(copy->effect.kernel = kernel_again(operation->effect.kernel)))
        return false;
    if (operation->effect.kind == EFFECT_KERNEL && !operation->kept) {
        copy->effect.kernel->arguments = operation->effect.kernel->arguments;
        operation->effect.kernel->arguments = NULL;
    }
    copy->kept = operation->kept = true;
    return true;
}

void operation_release(Operation *kept)
{
    if (kept->effect.kind == EFFECT_KERNEL) kernel_free(kept->effect.kernel);
    kept->effect = (Effect){EFFECT_NONE, {{0}}};
}
