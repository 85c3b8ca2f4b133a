#include "sim/runtime/operation.h"
#include "sim/runtime/durations.h"
#include <stdlib.h>

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

static cudaError_t keep_instead(Call *call, const Stream *stream, Operation *operation)
{
    if (!operation_list_add(stream->keeps, operation))
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site, "%s cannot be kept, to be done again later",
                   call->name);
    operation_release(operation);
    call->op = 0;
    return cudaSuccess;
}

cudaError_t operation_submit(Call *call, const Stream *stream, Operation *operation,
                             const EngineOp *after, int n_after)
{
    if (__builtin_expect(stream->keeps != NULL, 0)) return keep_instead(call, stream, operation);

    const Effect *effect = &operation->effect;
    uint64_t now = host_now();
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
                           .in_pieces = operation->in_pieces};
    call->op = engine_submit(runtime.engine, &submit, now);
    call_issued();
    if (!call->op)
        host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");

    Work *work = NULL;
    if (effect->kind != EFFECT_NONE) {
        work = work_keep(call->op, effect, stream->id, operation->site);
        if (effect->kind == EFFECT_COPY) work->effect.copy.aside = aside;
        if (effect->kind == EFFECT_KERNEL && !take_kernel(operation, stream, &work->effect))
            host_fatal(HOST_STATUS_CRASH, call->site, "out of memory for pending operations");
    }
    TELL(submitted, &(Submitted){.op = call->op,
                                 .call = call,
                                 .stream = stream,
                                 .operation = operation,
                                 .kind = operation->kind,
                                 .event = operation->event,
                                 .issued_ns = now,
                                 .after = after,
                                 .n_after = n_after,
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
    copy->kept = operation->kept = true;
    return true;
}

void operation_release(Operation *kept)
{
    if (kept->effect.kind == EFFECT_KERNEL) kernel_free(kept->effect.kernel);
    kept->effect = (Effect){EFFECT_NONE, {{0}}};
}

bool operation_list_add(OperationList *list, Operation *operation)
{
    if (list->n == list->room) {
        uint32_t room = list->room ? 2 * list->room : 16;
        Operation *more = realloc(list->items, room * sizeof *more);
        if (!more) return false;
        list->items = more;
        list->room = room;
    }
    if (!operation_keep(&list->items[list->n], operation)) return false;
    list->n++;
    return true;
}

void operation_list_free(OperationList *list)
{
    for (uint32_t i = 0; i < list->n; i++) operation_release(&list->items[i]);
    free(list->items);
    *list = (OperationList){0};
}
