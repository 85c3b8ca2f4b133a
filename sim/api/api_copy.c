/* api_copy.c - copies and sets, and who waits for them.
 *
 * DMA copies (pinned, registered, managed and device memory) read their source and write their
 * target at their end. Pageable memory goes through a staging buffer: a small copy to the device is
 * put aside and the call returns, a big one holds the caller until it is through, and a copy to
 * pageable memory always does. Copies between host memory are host-synchronous. A synchronous call
 * waits for the end, except device to device.
 */
#include "sim/api/api_copy.h"
#include "sim/memory/host_pages.h"
#include "sim/engine/chance.h"
#include "sim/memory/peers.h"
#include "sim/runtime/misuse.h"
#include "sim/nested/nested.h"

enum { SET_BLOCK_THREADS = 512, SET_BLOCK_BYTES = 65536 };

static bool on_device(const Place *place, bool managed_is)
{
    return place->kind == TRACE_MEM_DEVICE || (place->kind == TRACE_MEM_MANAGED && managed_is);
}

/* Bytes from the first to the last of a pitched range; SIZE_MAX when that is no size. */
static size_t extent(size_t pitch, size_t width, size_t height)
{
    if (height == 1) return width;
    if (pitch && height - 1 > (SIZE_MAX - width) / pitch) return SIZE_MAX;
    return pitch * (height - 1) + width;
}

/* The same of a box; where slices overlap, nothing good can come of it. */
static size_t box_extent(size_t pitch, size_t width, size_t height, size_t depth, size_t slice)
{
    size_t one = extent(pitch, width, height);
    if (depth <= 1 || one == SIZE_MAX) return one;
    if (slice && depth - 1 > (SIZE_MAX - one) / slice) return SIZE_MAX;
    return slice * (depth - 1) + one;
}
static size_t to_extent(const Copy *copy)
{
    return box_extent(copy->to_pitch, copy->width, copy->height, copy->depth, copy->to_slice);
}
static size_t from_extent(const Copy *copy)
{
    return box_extent(copy->from_pitch, copy->width, copy->height, copy->depth, copy->from_slice);
}

/* Slices that lie one behind the other, row by row, are rows. */
static void flatten(Copy *copy)
{
    if (copy->depth > 1 && (copy->to_slice != copy->to_pitch * copy->height ||
                            copy->from_slice != copy->from_pitch * copy->height))
        return;
    if (copy->depth > 1 && copy->depth <= SIZE_MAX / copy->height) copy->height *= copy->depth;
    copy->depth = 0;
}

static bool is_dead(const Call *call, const Place *place, const void *address, size_t bytes,
                    const char *verb)
{
    if (place->dead) misuse_dead(call, address, bytes, verb);
    return place->dead;
}

/* Sets need access to memory of another device, as kernels do. Copies find their way; but in a pool
 * that is closed to it, the current device can copy nothing, in whichever stream, unless the call
 * names the devices (measured on H200s). */
static bool is_closed_pool(const void *address)
{
    const MemoryBlock *block = memory_find(address);
    return block && (block->pool || block->piece) && !peers_reach(call_device(), block);
}

/* Copies and sets that run on the multiprocessors need room there: large copies more than half of
 * it, since two at once run one after the other (measured on an H200: 64 MiB each). */
static void need_room(Operation *operation, const Model *model)
{
    if (!model->room_limited) return;
    int per_sm = model_blocks_per_sm(model, SET_BLOCK_THREADS, 0);
    operation->blocks_per_sm = per_sm > 0 ? (uint32_t)per_sm : 1;
    uint64_t blocks = operation->bytes / SET_BLOCK_BYTES + 1, most = (uint64_t)model->sm_count;
    if (operation->kind == TRACE_D2D) most = most * operation->blocks_per_sm / 2 + 1;
    operation->blocks = (uint32_t)(blocks < most ? blocks : most);
    if (operation->kind == TRACE_D2D) operation->together = operation->blocks;
}

/* An explored schedule: a pageable copy may return once its source is put aside, and it may hold
 * the caller until it is through; documented is only that it might be synchronous. A device that
 * was measured does as it was seen to do. */
static bool explored_staging(bool small)
{
    static uint64_t n;
    uint64_t c = chance(runtime.seed, CHANCE_STAGING, n++);
    return c & 1 ? small : (c & 2) != 0;
}

static TraceOpKind copy_kind(const Copy *copy, const Place *to, const Place *from)
{
    bool to_device = on_device(to, copy->kind == cudaMemcpyHostToDevice ||
                                       copy->kind == cudaMemcpyDeviceToDevice ||
                                       copy->kind == cudaMemcpyDefault);
    bool from_device =
        on_device(from, copy->kind == cudaMemcpyDeviceToHost ||
                            copy->kind == cudaMemcpyDeviceToDevice ||
                            (copy->kind == cudaMemcpyDefault && to->kind != TRACE_MEM_DEVICE));
    if (to_device && from_device)
        return to->device >= 0 && from->device >= 0 && to->device != from->device ? TRACE_P2P
                                                                                  : TRACE_D2D;
    return to_device ? TRACE_H2D : from_device ? TRACE_D2H : TRACE_H2H;
}

/* How a copy is done: what the host has to do with it. */
typedef struct Plan {
    bool staged, unstaged; /* its source, its target is pageable: through a staging buffer */
    bool small;            /* the source is put aside, and the call goes on */
    bool linked;           /* between devices: over their link, not through the host */
    ModelParts parts;
} Plan;

/* Between devices that have no access to each other, a copy goes through the host. Either way of
 * access is taken to be enough: it says that the link is there for the copy engines. */
static bool over_link(const Place *to, const Place *from)
{
    return peers_allowed(from->device, to->device) || peers_allowed(to->device, from->device);
}

/* Of the host's end of a copy, where the model tells memory from memory. Rows are looked at as what
 * they are from the first to the last. */
static ModelPages host_end(const Model *model, const Copy *copy, bool staged)
{
    ModelPages pages = {0};
    size_t from_bytes = from_extent(copy), to_bytes = to_extent(copy);

    if (staged ? model->page_read_ns : model->page_write_ns)
        pages.fresh = staged ? host_pages_fresh(copy->from, from_bytes)
                             : host_pages_fresh(copy->to, to_bytes);
    if (model->again_bytes && staged)
        pages.again = host_pages_read(copy->from, from_bytes, model->again_bytes);
    else if (model->again_bytes) host_pages_written(copy->to, to_bytes);

    return pages;
}

static Plan plan_copy(const Model *model, TraceOpKind kind, uint64_t bytes, const Copy *copy,
                      const Place *to, const Place *from)
{
    Plan plan = {.staged = kind == TRACE_H2D && from->kind == TRACE_MEM_PAGEABLE,
                 .unstaged = kind == TRACE_D2H && to->kind == TRACE_MEM_PAGEABLE};
    plan.small = plan.staged && bytes <= model->staged_bytes;
    if (plan.staged && runtime.seed && model->exact) plan.small = explored_staging(plan.small);
    plan.linked = kind == TRACE_P2P && over_link(to, from);
    if (plan.staged || plan.unstaged)
        plan.parts = model_pageable(model, kind, bytes, host_end(model, copy, plan.staged));
    else if (kind == TRACE_P2P && !plan.linked)
        plan.parts.engine_ns = model_staged_peer_ns(model, bytes);
    else plan.parts.engine_ns = model_copy_ns(model, kind, false, bytes);
    return plan;
}

/* Of a copy that happens later, in a graph: no call puts its source aside, and no thread waits
 * while pageable memory is staged. */
static void keep_plan(Plan *plan)
{
    plan->parts.engine_ns += plan->parts.before_ns + plan->parts.after_ns;
    plan->parts.before_ns = plan->parts.after_ns = 0;
    plan->staged = plan->small = false;
}

/* The call waits as long as this kind of copy makes its caller wait. */
static cudaError_t wait_for_copy(Call *call, const Copy *copy, TraceOpKind kind, const Plan *plan)
{
    const ModelParts *parts = &plan->parts;
    if (plan->small) {
        if (copy->async) return cudaSuccess;
        cudaError_t error = call_wait_start(call);
        call_spend(parts->before_ns);
        call_saw_before_own(call);
        return error;
    }
    bool on_devices = kind == TRACE_D2D || kind == TRACE_P2P;
    if (kind != TRACE_H2H && !plan->staged && !plan->unstaged && (copy->async || on_devices))
        return cudaSuccess;
    cudaError_t error = call_wait_own(call, parts->before_ns || parts->after_ns);
    call_spend(parts->after_ns);
    /* a copy that is called asynchronous, and one that has only read its pageable source, happen to
     * have been waited for */
    if (plan->staged && !copy->async) call_saw_before_own(call);
    call_saw_own(call,
                 plan->staged || (plan->unstaged && copy->async) ? CALL_BY_LUCK : CALL_PROMISED);
    return error;
}

static uint64_t peer_cost(const ModelCosts *costs, const Plan *plan, const Stream *stream,
                          const Place *from)
{
    uint64_t cost = !plan->linked                    ? costs->memcpy_peer_staged
                    : stream->device != from->device ? costs->memcpy_peer_target
                                                     : costs->memcpy_peer;
    return cost ? cost : costs->memcpy_peer;
}

static cudaError_t submit_copy(Call *call, const Copy *copy, const Place *to, const Place *from)
{
    const Stream *stream = copy->stream;
    const Model *model = device_model(stream->device);
    TraceOpKind kind = copy_kind(copy, to, from);
    size_t from_bytes = from_extent(copy), to_bytes = to_extent(copy);
    Operation operation = {.kind = kind,
                           .bytes = (uint64_t)copy->width * copy->height *
                                    (copy->depth ? copy->depth : 1),
                           .from = from->kind,
                           .to = to->kind,
                           .site = call->site,
                           .n_uses = 2,
                           .uses = {operation_use(false, from, from_bytes),
                                    operation_use(true, to, to_bytes)},
                           .effect = {EFFECT_COPY, .copy = {.to = copy->to,
                                                            .from = copy->from,
                                                            .to_pitch = copy->to_pitch,
                                                            .from_pitch = copy->from_pitch,
                                                            .width = copy->width,
                                                            .height = copy->height,
                                                            .depth = copy->depth,
                                                            .to_slice = copy->to_slice,
                                                            .from_slice = copy->from_slice}}};
    Plan plan = plan_copy(model, kind, operation.bytes, copy, to, from);
    if (stream->keeper) {
        keep_plan(&plan);
    } else if (!copy->async) {
        cudaError_t error = CAPTURE_RULE(work, call, stream);
        if (error) return error;
    }
    operation.work_ns = plan.parts.engine_ns;
    operation.in_pieces = !plan.small && (plan.parts.before_ns || plan.parts.after_ns);
    bool now = copy->now && kind == TRACE_H2D && !plan.staged;
    operation.effect.copy.put_aside = plan.small || now;
    operation.effect.copy.read_by_host = plan.staged || now;
    operation.effect.copy.surely = !copy->async || copy->now;
    if (kind == TRACE_D2D) need_room(&operation, model);
    if (kind == TRACE_P2P) {
        operation.copies_from = (uint32_t)from->device + 1;
        operation.copies_to = plan.linked ? (uint32_t)to->device + 1 : 0;
    }

    if (from->kind == TRACE_MEM_PAGEABLE || from->as_pinned)
        call_pageable(call, copy->from, from_bytes, copy->pitched ? 2 : 1);
    if (to->kind == TRACE_MEM_PAGEABLE || to->as_pinned) call_pageable(call, copy->to, to_bytes, 0);

    if (stream->keeper) return operation_submit(call, stream, &operation, NULL, 0);
    uint64_t peer = kind == TRACE_P2P ? peer_cost(call->costs, &plan, stream, from) : 0;
    call_spend(kind == TRACE_D2D ? call->costs->memcpy_d2d
               : peer            ? peer
               : copy->async     ? call->costs->memcpy_async
                                 : call->costs->memcpy_sync);
    if (!plan.small || copy->async) call_spend(plan.parts.before_ns);
    cudaError_t error = operation_submit(call, stream, &operation, NULL, 0);
    return error ? error : wait_for_copy(call, copy, kind, &plan);
}

/* The host's end of a copy may be too small. On a card, what lies behind it is overwritten: here
 * the copy ends where the memory does. */
static void fit_pageable(const Call *call, Copy *copy, const Place *to, const Place *from)
{
    if (from->kind == TRACE_MEM_PAGEABLE)
        misuse_small(call, copy->from, from_extent(copy), "reads", copy->pitched ? 2 : 1);
    if (to->kind != TRACE_MEM_PAGEABLE) return;
    size_t room = misuse_small(call, copy->to, to_extent(copy), "writes", 0);
    if (room == SIZE_MAX) return;
    while (copy->depth > 1 && to_extent(copy) > room) copy->depth--;
    while (copy->height > 1 && extent(copy->to_pitch, copy->width, copy->height) > room)
        copy->height--;
    if (copy->width > room) copy->width = room;
}

/* A question (sim/whatif): the call is asynchronous, its host memory pinned. */
static void change_copy(const WhatIf *change, Copy *copy, Place *to, Place *from)
{
    Place *places[] = {to, from};
    copy->async |= change->async;
    for (int i = 0; i < 2 && change->pinned; i++) {
        if (places[i]->kind != TRACE_MEM_PAGEABLE) continue;
        places[i]->kind = TRACE_MEM_PINNED;
        places[i]->as_pinned = true;
    }
}

cudaError_t copy_run(Call *call, const Copy *asked)
{
    Copy fitted = *asked, *copy = &fitted;
    unsigned kind = (unsigned)copy->kind;
    if (!copy->width || !copy->height) return cudaSuccess;
    if (kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    bool one_row = copy->height == 1 && !copy->to_pitch && !copy->from_pitch;
    if (copy->pitched && !one_row &&
        (copy->width > copy->to_pitch || copy->width > copy->from_pitch))
        return copy->height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
    if (!copy->to || !copy->from) return cudaErrorInvalidValue;
    flatten(copy);
    Place to = place_of(copy->to), from = place_of(copy->from);
    size_t to_bytes = to_extent(copy), from_bytes = from_extent(copy);
    if (is_dead(call, &to, copy->to, to_bytes, "writes") ||
        is_dead(call, &from, copy->from, from_bytes, "reads"))
        return cudaErrorInvalidValue;
    if (to_bytes > to.room)
        misuse_place(call, (char *)copy->to + to.room, to_bytes - to.room, "writes");
    if (from_bytes > from.room)
        misuse_place(call, (const char *)copy->from + from.room, from_bytes - from.room, "reads");
    if (to_bytes > to.room || from_bytes > from.room) return cudaErrorInvalidValue;
    bool wants_device_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool wants_device_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    /* With unified addressing the pointers say where memory is; only pageable memory cannot be on
     * the device. */
    bool wrong_to = wants_device_to && to.kind == TRACE_MEM_PAGEABLE;
    bool wrong_from = wants_device_from && from.kind == TRACE_MEM_PAGEABLE;
    if (wrong_to) misuse_pageable(call, "its target", "copies");
    if (wrong_from) misuse_pageable(call, "its source", "copies");
    if (wrong_to || wrong_from) return cudaErrorInvalidValue;
    if (!copy->peer && (is_closed_pool(copy->to) || is_closed_pool(copy->from)))
        return cudaErrorInvalidValue;
    misuse_direction(call, copy->kind, to.kind, from.kind);
    fit_pageable(call, copy, &to, &from);
    if (call->change) change_copy(call->change, copy, &to, &from);
    return submit_copy(call, copy, &to, &from);
}

static cudaError_t copy_flat(Call *call, void *to, const void *from, size_t bytes,
                             enum cudaMemcpyKind kind, bool async, cudaStream_t handle)
{
    const Stream *stream = stream_of(call, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return copy_run(call, &(Copy){.to = to,
                                  .from = from,
                                  .width = bytes,
                                  .height = 1,
                                  .kind = kind,
                                  .async = async,
                                  .stream = stream});
}

API_STREAM(cudaMemcpy, 0, (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind),
           (dst, src, count, kind))
{
    return copy_flat(call, dst, src, count, kind, false, NULL);
}

static ThreelaneSite place(const Call *call)
{
    return (ThreelaneSite){call->site.file, (int)call->site.line};
}

API_STREAM(cudaMemcpyAsync, CALL_IN_KERNEL,
           (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
            cudaStream_t stream),
           (dst, src, count, kind, stream))
{
    if (exec_in_kernel()) return nested_copy(dst, 0, src, 0, count, 1, stream, place(call));
    return copy_flat(call, dst, src, count, kind, true, stream);
}

static cudaError_t copy_pitched(Call *call, Copy copy, cudaStream_t handle)
{
    copy.pitched = true;
    copy.stream = stream_of(call, handle);
    if (!copy.stream) return cudaErrorInvalidResourceHandle;
    return copy_run(call, &copy);
}

API_STREAM(cudaMemcpy2D, 0,
           (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
            enum cudaMemcpyKind kind),
           (dst, dpitch, src, spitch, width, height, kind))
{
    return copy_pitched(call,
                        (Copy){.to = dst,
                               .from = src,
                               .to_pitch = dpitch,
                               .from_pitch = spitch,
                               .width = width,
                               .height = height,
                               .kind = kind},
                        NULL);
}

API_STREAM(cudaMemcpy2DAsync, CALL_IN_KERNEL,
           (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (dst, dpitch, src, spitch, width, height, kind, stream))
{
    if (exec_in_kernel())
        return nested_copy(dst, dpitch, src, spitch, width, height, stream, place(call));
    return copy_pitched(call,
                        (Copy){.to = dst,
                               .from = src,
                               .to_pitch = dpitch,
                               .from_pitch = spitch,
                               .width = width,
                               .height = height,
                               .kind = kind,
                               .async = true},
                        stream);
}

/* ---- sets ---- */

cudaError_t set_run(Call *call, const Set *set)
{
    const Stream *stream = set->stream ? set->stream : stream_of(call, set->handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!set->width || !set->height) return cudaSuccess;
    if (set->height > 1 && set->width > set->pitch) return cudaErrorInvalidValue;
    if (!set->to || ((uintptr_t)set->to | (set->height > 1 ? set->pitch : 0)) % set->element)
        return cudaErrorInvalidValue;
    size_t bytes = box_extent(set->pitch, set->width, set->height, set->depth, set->slice);
    Place place = place_of(set->to);
    if (is_dead(call, &place, set->to, bytes, "writes")) return cudaErrorInvalidValue;
    if (place.kind == TRACE_MEM_PAGEABLE) {
        misuse_pageable(call, "its target", "sets");
        return cudaErrorInvalidValue;
    }
    if (bytes > place.room) {
        misuse_place(call, (char *)set->to + place.room, bytes - place.room, "writes");
        return cudaErrorInvalidValue;
    }
    if (!stream->keeper && !place_is_reached(stream->device, set->to)) return cudaErrorInvalidValue;
    const Model *model = device_model(stream->device);
    Operation operation = {.kind = TRACE_MEMSET,
                           .bytes =
                               (uint64_t)set->width * set->height * (set->depth ? set->depth : 1),
                           .to = place.kind,
                           .site = call->site,
                           .effect = {EFFECT_SET, .set = {.to = set->to,
                                                          .value = set->value,
                                                          .element = set->element,
                                                          .pitch = set->pitch,
                                                          .width = set->width,
                                                          .height = set->height,
                                                          .depth = set->depth,
                                                          .slice = set->slice}}};
    operation.work_ns = model_copy_ns(model, TRACE_MEMSET, false, operation.bytes);
    need_room(&operation, model);
    operation_uses(&operation, true, &place, bytes);
    if (!stream->keeper) call_spend(call->costs->memset);
    cudaError_t error = operation_submit(call, stream, &operation, NULL, 0);
    if (error || stream->keeper || set->async || place.kind == TRACE_MEM_DEVICE) return error;
    error = call_wait_own(call, false); /* the host can see this memory, so the call
                                                       waits */
    call_saw_own(call, CALL_PROMISED);
    return error;
}

static cudaError_t set_bytes(Call *call, void *to, size_t pitch, int value, size_t width,
                             size_t height, bool async, cudaStream_t handle)
{
    return set_run(call, &(Set){.to = to,
                                .value = (unsigned char)value,
                                .element = 1,
                                .pitch = pitch,
                                .width = width,
                                .height = height,
                                .async = async,
                                .handle = handle});
}

API_STREAM(cudaMemset, 0, (void *devPtr, int value, size_t count), (devPtr, value, count))
{
    return set_bytes(call, devPtr, 0, value, count, 1, false, NULL);
}

API_STREAM(cudaMemsetAsync, CALL_IN_KERNEL,
           (void *devPtr, int value, size_t count, cudaStream_t stream),
           (devPtr, value, count, stream))
{
    if (exec_in_kernel()) return nested_set(devPtr, 0, value, count, 1, stream, place(call));
    return set_bytes(call, devPtr, 0, value, count, 1, true, stream);
}

API_STREAM(cudaMemset2D, 0, (void *devPtr, size_t pitch, int value, size_t width, size_t height),
           (devPtr, pitch, value, width, height))
{
    return set_bytes(call, devPtr, pitch, value, width, height, false, NULL);
}

API_STREAM(cudaMemset2DAsync, CALL_IN_KERNEL,
           (void *devPtr, size_t pitch, int value, size_t width, size_t height,
            cudaStream_t stream),
           (devPtr, pitch, value, width, height, stream))
{
    if (exec_in_kernel())
        return nested_set(devPtr, pitch, value, width, height, stream, place(call));
    return set_bytes(call, devPtr, pitch, value, width, height, true, stream);
}
