#include "sim/runtime/operation.h"
#include "sim/runtime/durations.h"

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
    return operation->launch.overlaps ? engine_primary(runtime.engine, stream->id) : 0;
}

static bool depend(Kernel *kernel, EngineOp primary)
{
    return !primary || kernel_depends(kernel, &primary, 1);
}

cudaError_t operation_submit(Call *call, const Stream *stream, Operation *operation,
                             const EngineOp *after, int n_after)
{
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
    EngineSubmit submit = {.kind = operation->kind,
                           .stream = stream->id,
                           .work_ns = operation->work_ns,
                           .blocks = operation->blocks,
                           .blocks_per_sm = operation->blocks_per_sm,
                           .own_priority =
                               operation->launch.own_priority || stream->priority_changed,
                           .priority = operation->launch.own_priority ? operation->launch.priority
                                                                      : stream->priority,
                           .after = after,
                           .n_after = n_after,
                           .in_pieces = operation->in_pieces,
                           .graph = operation->graph,
                           .copies_from = operation->copies_from,
                           .copies_to = operation->copies_to,
                           .programmatic = operation->launch.overlaps};
    EngineOp primary = early_of(stream, operation);
    call->op = engine_submit(runtime.engine, &submit, now);
    call_issued();
    if (!call->op)
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");

    Work *work = NULL;
    if (effect->kind != EFFECT_NONE) {
        work = work_keep(call->op, effect, stream->id, operation->site);
        work->device = stream->device;
        if (effect->kind == EFFECT_COPY) work->effect.copy.aside = aside;
        if (effect->kind == EFFECT_KERNEL && (!take_kernel(operation, stream, &work->effect) ||
                                              !depend(work->effect.kernel, primary)))
            host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");
    }
    TELL(submitted, &(Submitted){.op = call->op,
                                 .call = call,
                                 .stream = stream,
                                 .operation = operation,
                                 .kind = operation->kind,
                                 .event = operation->event,
                                 .launch = operation->graph,
                                 .issued_ns = now,
                                 .after = after,
                                 .n_after = n_after,
                                 .primary = primary,
                                 .work = work});
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
