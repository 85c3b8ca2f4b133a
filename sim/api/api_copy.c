/* api_copy.c - copies and sets, and who waits for them.
 *
 * DMA copies (pinned, registered, managed and device memory) read their source and write their target at their end.
 * Pageable memory goes through a staging buffer: a small copy to the device is put aside and the call returns, a big
 * one holds the caller until it is through, and a copy to pageable memory always does. Copies between host memory
 * are host-synchronous. A synchronous call waits for the end, except device to device.
 */
#include "sim/api/api_copy.h"
#include <stdio.h>
#include "sim/engine/chance.h"
#include <stdlib.h>
#include <string.h>

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

static bool is_dead(const Call *call, const Place *place, const void *address, size_t bytes, const char *verb)
{
    if (place->dead) place_complain(call, address, bytes, verb);
    return place->dead;
}

/* Copies and sets that run on the multiprocessors need room there. */
static void need_room(EngineSubmit *submit, uint64_t bytes)
{
    if (!runtime.model.room_limited) return;
    uint64_t blocks = bytes / SET_BLOCK_BYTES + 1;
    submit->blocks = blocks < (uint64_t)runtime.model.sm_count ? (uint32_t)blocks : (uint32_t)runtime.model.sm_count;
    int per_sm = model_blocks_per_sm(&runtime.model, SET_BLOCK_THREADS, 0);
    submit->blocks_per_sm = per_sm > 0 ? (uint32_t)per_sm : 1;
}

/* An explored schedule: a pageable copy may return once its source is put aside, and it may hold the caller until it
 * is through; documented is only that it might be synchronous. A device that was measured does as it was seen to do. */
static bool explored_staging(bool small)
{
    static uint64_t n;
    uint64_t c = chance(runtime.seed, CHANCE_STAGING, n++);
    return c & 1 ? small : (c & 2) != 0;
}

/* Host code's accesses to this pageable memory count from now on. */
static void watch(const Call *call, const void *address, size_t bytes, int argument)
{
    if (!hazard_on) return;
    hazard_track(address, bytes);
    hazard_name_pageable(address, bytes, call->site, argument);
}

static cudaError_t submit_copy(Call *call, const Copy *copy, const Place *to, const Place *from)
{
    const Model *model = &runtime.model;
    bool to_device = on_device(to, copy->kind == cudaMemcpyHostToDevice || copy->kind == cudaMemcpyDeviceToDevice ||
                                       copy->kind == cudaMemcpyDefault);
    bool from_device = on_device(from, copy->kind == cudaMemcpyDeviceToHost ||
                                           copy->kind == cudaMemcpyDeviceToDevice ||
                                           (copy->kind == cudaMemcpyDefault && to->kind != TRACE_MEM_DEVICE));
    TraceOpKind kind = to_device ? from_device ? TRACE_D2D : TRACE_H2D : from_device ? TRACE_D2H : TRACE_H2H;
    uint64_t bytes = (uint64_t)copy->width * copy->height;
    bool staged = kind == TRACE_H2D && from->kind == TRACE_MEM_PAGEABLE;
    bool unstaged = kind == TRACE_D2H && to->kind == TRACE_MEM_PAGEABLE;
    bool small = staged && bytes <= model->staged_bytes;
    if (staged && runtime.seed && model->exact) small = explored_staging(small);
    ModelParts parts = staged || unstaged ? model_pageable(model, kind, bytes)
                                          : (ModelParts){.engine_ns = model_copy_ns(model, kind, false, bytes)};

    Work work = {.effect = WORK_COPY, .site = call->site,
                 .copy = {.to = copy->to, .from = copy->from, .to_pitch = copy->to_pitch,
                          .from_pitch = copy->from_pitch, .width = copy->width, .height = copy->height}};
    size_t from_bytes = extent(copy->from_pitch, copy->width, copy->height);
    size_t to_bytes = extent(copy->to_pitch, copy->width, copy->height);
    if (from->kind == TRACE_MEM_PAGEABLE) watch(call, copy->from, from_bytes, copy->pitched ? 2 : 1);
    if (to->kind == TRACE_MEM_PAGEABLE) watch(call, copy->to, to_bytes, 0);
    work.copy.source_told = staged;
    call_spend(kind == TRACE_D2D ? model->costs.memcpy_d2d : copy->async ? model->costs.memcpy_async
                                                                         : model->costs.memcpy_sync);
    if (!small || copy->async) call_spend(parts.before_ns);
    if (small) {
        char *aside = malloc(bytes);
        if (!aside) return cudaErrorMemoryAllocation;
        for (size_t row = 0; row < copy->height; row++)
            memcpy(aside + row * copy->width, (const char *)copy->from + row * copy->from_pitch, copy->width);
        work.copy.staged = aside;
    }
    EngineSubmit submit = {.work_ns = parts.engine_ns, .in_pieces = !small && (parts.before_ns || parts.after_ns)};
    if (kind == TRACE_D2D) need_room(&submit, bytes);
    TraceOp op = {.kind = kind, .bytes = bytes, .from = from->kind, .to = to->kind, .name = ""};
    EngineOp id = work_submit(call, copy->stream, &submit, &op, &work);
    record_uses(id, false, from, from_bytes);
    record_uses(id, true, to, to_bytes);
    if (staged)
        hazard_source_read(id, copy->from, copy->from_pitch, copy->width, copy->height, call->site, !copy->async);

    if (small) {
        if (copy->async) return cudaSuccess;
        cudaError_t error = call_wait_start(call, id);
        call_spend(parts.before_ns);
        hazard_after_before_last();
        return error;
    }
    if (kind != TRACE_H2H && !staged && !unstaged && (copy->async || kind == TRACE_D2D)) return cudaSuccess;
    cudaError_t error = parts.before_ns || parts.after_ns ? call_wait_busy(call, id) : call_wait(call, id);
    call_spend(parts.after_ns);
    /* a copy that is called asynchronous, and one that has only read its pageable source, happen to have been waited for */
    if (staged && !copy->async) hazard_after_before_last();
    hazard_after_last(staged || (unstaged && copy->async) ? HAZARD_BY_LUCK : HAZARD_PROMISED);
    return error;
}

/* A copy says that memory of the host is device memory. */
static void report_pageable(const Call *call, const char *which, const char *verb)
{
    char headline[160];
    snprintf(headline, sizeof headline, "%s wants device memory, but %s is pageable memory of the host", call->name,
             which);
    hazard_report(&(HazardReport){.kind = HAZARD_WRONG_MEMORY, .headline = headline,
                                  .second = {.verb = verb, .site = call->site, .thread = host_thread()},
                                  .fix = verb[0] == 'c' ? "look at the order of the pointers and at the kind of the copy"
                                                        : "use memset() for memory of the host"});
}

/* A copy names another direction than the one its pointers have. With unified addressing it works all the same; it is
 * undefined all the same. Only what is certainly on the device is told: the host's end may be mapped there. */
static void report_direction(const Call *call, enum cudaMemcpyKind kind, const Place *to, const Place *from)
{
    static const char *const said[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"};
    bool host_from = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
    bool host_to = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
    bool wrong_from = host_from && from->kind == TRACE_MEM_DEVICE, wrong_to = host_to && to->kind == TRACE_MEM_DEVICE;
    if (!wrong_from && !wrong_to) return;
    enum cudaMemcpyKind right = from->kind != TRACE_MEM_DEVICE ? cudaMemcpyHostToDevice
                                : to->kind == TRACE_MEM_DEVICE ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
    char headline[200], fix[100];
    snprintf(headline, sizeof headline, "%s says %s, but its %s is device memory; it works here, and nothing promises "
             "that", call->name, said[kind], wrong_from ? "source" : "target");
    snprintf(fix, sizeof fix, "say %s", right == cudaMemcpyHostToDevice     ? said[1]
                                        : right == cudaMemcpyDeviceToHost ? said[2] : "cudaMemcpyDeviceToDevice");
    hazard_report(&(HazardReport){.kind = HAZARD_WRONG_MEMORY, .headline = headline,
                                  .second = {.verb = "copies", .site = call->site, .thread = host_thread()},
                                  .fix = fix});
}

cudaError_t copy_run(Call *call, const Copy *copy)
{
    unsigned kind = (unsigned)copy->kind;
    if (!copy->width || !copy->height) return cudaSuccess;
    if (kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (copy->pitched && (copy->width > copy->to_pitch || copy->width > copy->from_pitch))
        return copy->height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
    if (!copy->to || !copy->from) return cudaErrorInvalidValue;
    Place to = place_of(copy->to), from = place_of(copy->from);
    size_t to_bytes = extent(copy->to_pitch, copy->width, copy->height);
    size_t from_bytes = extent(copy->from_pitch, copy->width, copy->height);
    if (is_dead(call, &to, copy->to, to_bytes, "writes") || is_dead(call, &from, copy->from, from_bytes, "reads"))
        return cudaErrorInvalidValue;
    if (to_bytes > to.room)
        place_report(call, (char *)copy->to + to.room, to_bytes - to.room, "writes");
    if (from_bytes > from.room)
        place_report(call, (const char *)copy->from + from.room, from_bytes - from.room, "reads");
    if (to_bytes > to.room || from_bytes > from.room) return cudaErrorInvalidValue;
    bool wants_device_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool wants_device_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    /* With unified addressing the pointers say where memory is; only pageable memory cannot be on the device. */
    bool wrong_to = wants_device_to && to.kind == TRACE_MEM_PAGEABLE;
    bool wrong_from = wants_device_from && from.kind == TRACE_MEM_PAGEABLE;
    if (wrong_to) report_pageable(call, "its target", "copies");
    if (wrong_from) report_pageable(call, "its source", "copies");
    if (wrong_to || wrong_from) return cudaErrorInvalidValue;
    report_direction(call, copy->kind, &to, &from);
    return submit_copy(call, copy, &to, &from);
}

static cudaError_t copy_flat(Call *call, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                             bool async, cudaStream_t handle)
{
    const Stream *stream = stream_of(call, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    return copy_run(call, &(Copy){.to = to, .from = from, .width = bytes, .height = 1, .kind = kind, .async = async,
                                  .stream = stream});
}

API_STREAM(cudaMemcpy, 0, (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind),
           (dst, src, count, kind))
{
    return copy_flat(call, dst, src, count, kind, false, NULL);
}

API_STREAM(cudaMemcpyAsync, 0,
           (void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream),
           (dst, src, count, kind, stream))
{
    return copy_flat(call, dst, src, count, kind, true, stream);
}

API(cudaMemcpyPeerAsync, 0,
    (void *dst, int dstDevice, const void *src, int srcDevice, size_t count, cudaStream_t stream),
    (dst, dstDevice, src, srcDevice, count, stream))
{
    if (dstDevice < 0 || dstDevice >= runtime.devices || srcDevice < 0 || srcDevice >= runtime.devices)
        return cudaErrorInvalidDevice;
    if (dstDevice != srcDevice)
        host_fatal(HOST_STATUS_UNSUPPORTED, call->site, "cudaMemcpyPeerAsync between two devices is not simulated by "
                   "this virtual GPU; the program ends here");
    return copy_flat(call, dst, src, count, cudaMemcpyDeviceToDevice, true, stream);
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
    return copy_pitched(call, (Copy){.to = dst, .from = src, .to_pitch = dpitch, .from_pitch = spitch, .width = width,
                                     .height = height, .kind = kind}, NULL);
}

API_STREAM(cudaMemcpy2DAsync, 0,
           (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (dst, dpitch, src, spitch, width, height, kind, stream))
{
    return copy_pitched(call, (Copy){.to = dst, .from = src, .to_pitch = dpitch, .from_pitch = spitch, .width = width,
                                     .height = height, .kind = kind, .async = true}, stream);
}

/* ---- sets ---- */

static cudaError_t set(Call *call, void *to, size_t pitch, int value, size_t width, size_t height, bool async,
                       cudaStream_t handle)
{
    const Stream *stream = stream_of(call, handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!width || !height) return cudaSuccess;
    if (height > 1 && width > pitch) return cudaErrorInvalidValue;
    if (!to) return cudaErrorInvalidValue;
    Place place = place_of(to);
    if (is_dead(call, &place, to, extent(pitch, width, height), "writes")) return cudaErrorInvalidValue;
    if (place.kind == TRACE_MEM_PAGEABLE) {
        report_pageable(call, "its target", "sets");
        return cudaErrorInvalidValue;
    }
    if (extent(pitch, width, height) > place.room) {
        place_report(call, (char *)to + place.room, extent(pitch, width, height) - place.room, "writes");
        return cudaErrorInvalidValue;
    }
    uint64_t bytes = (uint64_t)width * height;
    call_spend(runtime.model.costs.memset);
    EngineSubmit submit = {.work_ns = model_copy_ns(&runtime.model, TRACE_MEMSET, false, bytes)};
    need_room(&submit, bytes);
    TraceOp op = {.kind = TRACE_MEMSET, .bytes = bytes, .to = place.kind, .name = ""};
    Work work = {.effect = WORK_SET, .site = call->site,
                 .set = {.to = to, .value = value, .pitch = pitch, .width = width, .height = height}};
    EngineOp id = work_submit(call, stream, &submit, &op, &work);
    record_uses(id, true, &place, extent(pitch, width, height));
    if (async || place.kind == TRACE_MEM_DEVICE) return cudaSuccess;
    cudaError_t error = call_wait(call, id);          /* the host can see this memory, so the call waits */
    hazard_after_last(HAZARD_PROMISED);
    return error;
}

API_STREAM(cudaMemset, 0, (void *devPtr, int value, size_t count), (devPtr, value, count))
{
    return set(call, devPtr, 0, value, count, 1, false, NULL);
}

API_STREAM(cudaMemsetAsync, 0, (void *devPtr, int value, size_t count, cudaStream_t stream),
           (devPtr, value, count, stream))
{
    return set(call, devPtr, 0, value, count, 1, true, stream);
}

API_STREAM(cudaMemset2D, 0, (void *devPtr, size_t pitch, int value, size_t width, size_t height),
           (devPtr, pitch, value, width, height))
{
    return set(call, devPtr, pitch, value, width, height, false, NULL);
}

API_STREAM(cudaMemset2DAsync, 0,
           (void *devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
           (devPtr, pitch, value, width, height, stream))
{
    return set(call, devPtr, pitch, value, width, height, true, stream);
}
