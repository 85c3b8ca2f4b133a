/* api_memory.c - allocating, pinning, freeing, and asking what a pointer is. */
#include "sim/runtime/runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALLOC_FLAGS = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined,
    REGISTER_FLAGS = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |
                     cudaHostRegisterReadOnly,
    PITCH = 512
};

Place place_of(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    const MemoryBlock *block = memory_find(address);
    Place place = {.kind = TRACE_MEM_PAGEABLE, .offset = at, .room = SIZE_MAX, .device = -1};
    if (block)
        return (Place){.kind = block->kind, .alloc = block->id, .offset = at - block->address,
                       .room = block->bytes - (at - block->address), .device = block->device};
    if (at - memory_base < memory_span) {
        place.dead = true;
        place.kind = at - memory_base < memory_device_span ? TRACE_MEM_DEVICE : TRACE_MEM_PINNED;
        place.room = 0;
        return place;
    }
    symbol_find(address, &place);
    return place;
}

void place_report(const Call *call, const void *address, size_t bytes, const char *verb)
{
    char why[160], headline[120];
    HazardReport report = {.address = address, .bytes = bytes, .why = why, .headline = headline,
                           .second = {.verb = verb, .site = call->site, .thread = host_thread()}};
    report.kind = hazard_outside((uintptr_t)address, &report, why, sizeof why);
    snprintf(headline, sizeof headline, "%s %s {m}", call->name, verb);
    hazard_report(&report);
}

void place_complain(const Call *call, const void *address, size_t bytes, const char *verb)
{
    const MemoryBlock *block = memory_find_freed(address);
    size_t room = block ? block->address + block->bytes - (uintptr_t)address : bytes;
    place_report(call, address, bytes && bytes < room ? bytes : room, verb);
    if (!block) return;
    if (block->gone.file)
        host_warn(call->site, "%s: this memory (%zu bytes) was freed at %s:%u", call->name, block->bytes,
                  block->gone.file, block->gone.line);
    else
        host_warn(call->site, "%s: this memory (%zu bytes) was freed", call->name, block->bytes);
}

/* ---- frees that CUDA refuses ---- */

/* What gives the memory back. */
static const char *freed_by(const MemoryBlock *block)
{
    static const char *const words[TRACE_MEMORIES] = {
        [TRACE_MEM_DEVICE] = "cudaFree", [TRACE_MEM_MANAGED] = "cudaFree", [TRACE_MEM_PINNED] = "cudaFreeHost",
        [TRACE_MEM_REGISTERED] = "cudaHostUnregister"};
    return block->pool ? "cudaFreeAsync" : words[block->kind];
}

/* The address is not that of a block which this call may free. verb: "frees", "unregisters". */
static void refuse_free(const Call *call, const void *address, const char *verb)
{
    const MemoryBlock *block = memory_find(address);
    char headline[160], why[160] = "", fix[160];
    HazardReport report = {.kind = HAZARD_WRONG_MEMORY, .address = address, .headline = headline, .fix = fix,
                           .second = {.verb = verb, .site = call->site, .thread = host_thread()}};
    if (!block && memory_find_freed(address)) {
        place_complain(call, address, 0, verb);
        return;
    }
    if (!block) {
        snprintf(headline, sizeof headline, "%s %s memory that no CUDA call allocated", call->name, verb);
        snprintf(fix, sizeof fix, "use free() for memory from malloc(); a variable is never freed");
        report.address = NULL;
    } else if (block->leaving.file) {
        report.kind = HAZARD_USE_AFTER_FREE;
        report.bytes = block->bytes;
        snprintf(headline, sizeof headline, "%s %s {m} again", call->name, verb);
        snprintf(fix, sizeof fix, "free it once");
    } else {
        report.bytes = block->address + block->bytes - (uintptr_t)address;
        snprintf(headline, sizeof headline, "%s %s {m}", call->name, verb);
        if (block->address != (uintptr_t)address) {
            snprintf(why, sizeof why, "the address is not the beginning of the block");
            snprintf(fix, sizeof fix, "give %s the address that the allocation returned", freed_by(block));
        } else {
            snprintf(why, sizeof why, "it was made by %s, which %s does not undo",
                     block->by ? block->by : "cudaHostRegister", call->name);
            snprintf(fix, sizeof fix, "use %s for it", freed_by(block));
        }
    }
    if (block && block->leaving.file) {
        report.first = (HazardAccess){.verb = "frees", .site = block->leaving, .thread = host_thread()};
        snprintf(why, sizeof why, "{line1} has freed it already");
    }
    report.why = why[0] ? why : NULL;
    hazard_report(&report);
}

/* The block that the call may free, or NULL after a report. */
static MemoryBlock *to_free(const Call *call, const void *address, const char *verb, TraceMemory kind, TraceMemory or)
{
    MemoryBlock *block = memory_find(address);
    if (block && block->address == (uintptr_t)address && (block->kind == kind || block->kind == or) &&
        !block->leaving.file)
        return block;
    refuse_free(call, address, verb);
    return NULL;
}

/* ---- device memory ---- */

static cudaError_t allocate(Call *call, TraceMemory kind, void **to, size_t bytes, unsigned flags)
{
    if (!to) return cudaErrorInvalidValue;
    *to = NULL;
    if (!bytes) return cudaSuccess;
    MemoryBlock *block = memory_alloc(kind, kind == TRACE_MEM_DEVICE ? call_device() : -1, bytes, flags, call->site);
    if (!block) return cudaErrorMemoryAllocation;
    block->by = call->name;
    record_alloc(call, block);
    hazard_new_memory((const void *)block->address, bytes);
    *to = (void *)block->address;
    return cudaSuccess;
}

static void release(const Call *call, MemoryBlock *block)
{
    record_free(call, block);
    if (block->pool) pool_gives(block->device, block->bytes);
    memory_release(block, call->site);
}

API(cudaMalloc, 0, (void **devPtr, size_t size), (devPtr, size))
{
    call_spend(runtime.model.costs.malloc_);
    return allocate(call, TRACE_MEM_DEVICE, devPtr, size, 0);
}

API(cudaMallocPitch, 0, (void **devPtr, size_t *pitch, size_t width, size_t height), (devPtr, pitch, width, height))
{
    if (!devPtr || !pitch) return cudaErrorInvalidValue;
    call_spend(runtime.model.costs.malloc_);
    if (width > SIZE_MAX - PITCH) return cudaErrorMemoryAllocation;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (height && *pitch > SIZE_MAX / height) return cudaErrorMemoryAllocation;
    cudaError_t error = allocate(call, TRACE_MEM_DEVICE, devPtr, *pitch * height, 0);
    /* what is between the rows may be copied with them */
    for (size_t row = 0; !error && memory_watch_written && *pitch > width && row < height; row++)
        memory_written((char *)*devPtr + row * *pitch + width, *pitch - width);
    return error;
}

API(cudaMallocManaged, 0, (void **devPtr, size_t size, unsigned flags), (devPtr, size, flags))
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    call_spend(runtime.model.costs.malloc_);
    return allocate(call, TRACE_MEM_MANAGED, devPtr, size, flags);
}

/* Waits for the device, as the driver does; not for memory from a pool. */
API(cudaFree, 0, (void *devPtr), (devPtr))
{
    if (!devPtr) return cudaSuccess;
    MemoryBlock *block = to_free(call, devPtr, "frees", TRACE_MEM_DEVICE, TRACE_MEM_MANAGED);
    if (!block) return cudaErrorInvalidValue;
    call_spend(runtime.model.costs.free_);
    hazard_frees((const void *)block->address, block->bytes, call->site, !block->pool);
    if (!block->pool) hazard_before_device(block->device);
    cudaError_t error = block->pool ? cudaSuccess : call_wait_device(call, block->device);
    if (!block->pool) hazard_after_device(block->device, NULL, call->site, 0, HAZARD_BY_LUCK);
    release(call, block);
    return error;
}

/* ---- stream-ordered: from a pool that never runs dry, so that the pointer is there at once ---- */

API_STREAM(cudaMallocAsync, 0, (void **devPtr, size_t size, cudaStream_t hStream), (devPtr, size, hStream))
{
    if (!devPtr) return cudaErrorInvalidValue;
    const Stream *stream = stream_of(call, hStream);
    if (!stream) return cudaErrorInvalidResourceHandle;
    call_spend(runtime.model.costs.malloc_async);
    cudaError_t error = allocate(call, TRACE_MEM_DEVICE, devPtr, size, 0);
    if (error || !*devPtr) return error;
    memory_find(*devPtr)->pool = true;
    pool_takes(call_device(), size);
    EngineSubmit submit = {0};
    TraceOp op = {.kind = TRACE_ALLOC, .bytes = size, .to = TRACE_MEM_DEVICE, .name = ""};
    EngineOp id = work_submit(call, stream, &submit, &op, NULL);
    Place place = place_of(*devPtr);
    record_uses(id, true, &place, size);
    hazard_op_allocates(work_allocation, *devPtr, size);
    hazard_op_done(work_allocation);
    work_allocation = NULL;
    return cudaSuccess;
}

API_STREAM(cudaFreeAsync, 0, (void *devPtr, cudaStream_t hStream), (devPtr, hStream))
{
    const Stream *stream = stream_of(call, hStream);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (!devPtr) return cudaSuccess;
    MemoryBlock *block = to_free(call, devPtr, "frees", TRACE_MEM_DEVICE, TRACE_MEM_DEVICE);
    if (!block) return cudaErrorInvalidValue;
    block->leaving = call->site.file ? call->site : (TraceSite){"", 0};
    call_spend(runtime.model.costs.malloc_async);
    EngineSubmit submit = {0};
    TraceOp op = {.kind = TRACE_FREE, .bytes = block->bytes, .from = TRACE_MEM_DEVICE, .name = ""};
    Work work = {.effect = WORK_RELEASE, .site = call->site, .release = block};
    Place place = place_of(devPtr);
    EngineOp id = work_submit(call, stream, &submit, &op, &work);
    record_uses(id, false, &place, block->bytes);
    record_free(call, block);
    return cudaSuccess;
}

/* ---- pinned memory ---- */

static void spend_pinning(size_t bytes)
{
    const ModelCosts *costs = &runtime.model.costs;
    call_spend(costs->malloc_host + (uint64_t)((double)bytes / (1 << 20) * (double)costs->malloc_host_per_mib));
}

static cudaError_t allocate_pinned(Call *call, void **to, size_t bytes, unsigned flags)
{
    if (!to || flags & ~(unsigned)ALLOC_FLAGS) return cudaErrorInvalidValue;
    cudaError_t error = allocate(call, TRACE_MEM_PINNED, to, bytes, flags);
    if (!error) spend_pinning(bytes);
    return error;
}

API(cudaMallocHost, 0, (void **ptr, size_t size), (ptr, size)) { return allocate_pinned(call, ptr, size, 0); }

API(cudaHostAlloc, 0, (void **pHost, size_t size, unsigned flags), (pHost, size, flags))
{
    return allocate_pinned(call, pHost, size, flags);
}

API(cudaFreeHost, 0, (void *ptr), (ptr))
{
    if (!ptr) return cudaSuccess;
    MemoryBlock *block = to_free(call, ptr, "frees", TRACE_MEM_PINNED, TRACE_MEM_PINNED);
    if (!block) return cudaErrorInvalidValue;
    call_spend(runtime.model.costs.free_host);
    hazard_frees((const void *)block->address, block->bytes, call->site, false);
    hazard_before_device(-1);
    cudaError_t error = call_wait_device(call, -1);
    hazard_after_device(-1, NULL, call->site, 0, HAZARD_BY_LUCK);
    release(call, block);
    return error;
}

API(cudaHostRegister, 0, (void *ptr, size_t size, unsigned flags), (ptr, size, flags))
{
    if (!ptr || !size || flags & ~(unsigned)REGISTER_FLAGS) return cudaErrorInvalidValue;
    if ((uintptr_t)ptr - memory_base < memory_span) return cudaErrorInvalidValue;
    MemoryBlock *block = memory_register(ptr, size, flags, call->site);
    if (!block) return cudaErrorHostMemoryAlreadyRegistered;
    spend_pinning(size);
    hazard_track(ptr, size);
    record_alloc(call, block);
    return cudaSuccess;
}

API(cudaHostUnregister, 0, (void *ptr), (ptr))
{
    if (!ptr) return cudaErrorInvalidValue;
    MemoryBlock *block = memory_find(ptr);
    if (!block || block->kind != TRACE_MEM_REGISTERED || block->address != (uintptr_t)ptr) {
        refuse_free(call, ptr, "unregisters");
        return block && block->kind != TRACE_MEM_REGISTERED ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
    }
    call_spend(runtime.model.costs.free_host);
    hazard_frees((const void *)block->address, block->bytes, call->site, false);
    hazard_before_device(-1);
    cudaError_t error = call_wait_device(call, -1);
    hazard_after_device(-1, NULL, call->site, 0, HAZARD_BY_LUCK);
    release(call, block);
    return error;
}

/* ---- what a pointer is ---- */

static const MemoryBlock *pinned_block(const void *address)
{
    const MemoryBlock *block = memory_find(address);
    return block && (block->kind == TRACE_MEM_PINNED || block->kind == TRACE_MEM_REGISTERED) ? block : NULL;
}

API(cudaHostGetDevicePointer, 0, (void **pDevice, void *pHost, unsigned flags), (pDevice, pHost, flags))
{
    if (!pDevice || flags || !pinned_block(pHost)) return cudaErrorInvalidValue;
    *pDevice = pHost;                 /* unified addressing: the same on both sides */
    return cudaSuccess;
}

API(cudaHostGetFlags, 0, (unsigned *pFlags, void *pHost), (pFlags, pHost))
{
    const MemoryBlock *block = pinned_block(pHost);
    if (!pFlags || !block) return cudaErrorInvalidValue;
    *pFlags = block->flags | cudaHostAllocMapped;     /* unified addressing maps everything */
    return cudaSuccess;
}

API(cudaMemGetInfo, 0, (size_t *free, size_t *total), (free, total))
{
    if (!free || !total) return cudaErrorInvalidValue;
    *free = memory_free_bytes(call_device());
    *total = memory_total_bytes(call_device());
    return cudaSuccess;
}

API(cudaPointerGetAttributes, CALL_AFTER_FAULT, (struct cudaPointerAttributes *attributes, const void *ptr),
    (attributes, ptr))
{
    if (!attributes) return cudaErrorInvalidValue;
    memset(attributes, 0, sizeof *attributes);
    Place place = place_of(ptr);
    attributes->device = cudaInvalidDeviceId;
    if (place.dead || place.kind == TRACE_MEM_PAGEABLE) {
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->hostPointer = (void *)(uintptr_t)ptr;
        return cudaSuccess;
    }
    attributes->device = place.device >= 0 ? place.device : 0;
    attributes->devicePointer = (void *)(uintptr_t)ptr;
    attributes->hostPointer = attributes->devicePointer;
    switch (place.kind) {
    case TRACE_MEM_DEVICE:
        attributes->type = cudaMemoryTypeDevice;
        attributes->hostPointer = NULL;
        break;
    case TRACE_MEM_MANAGED: attributes->type = cudaMemoryTypeManaged; break;
    default: attributes->type = cudaMemoryTypeHost; break;
    }
    return cudaSuccess;
}

/* ---- reset ---- */

typedef struct Found { const MemoryBlock **blocks; size_t n, room; int device; } Found;

static void collect(const MemoryBlock *block, void *arg)
{
    Found *found = arg;
    if (block->device >= 0 ? block->device != found->device : found->device != 0) return;
    if (found->n == found->room) {
        found->room = found->room ? 2 * found->room : 64;
        found->blocks = realloc(found->blocks, found->room * sizeof *found->blocks);
        if (!found->blocks) host_fatal(HOST_STATUS_CRASH, (TraceSite){NULL, 0}, "out of memory");
    }
    found->blocks[found->n++] = block;
}

void places_reset(const Call *call, int device)
{
    Found found = {.device = device};
    memory_each(collect, &found);
    for (size_t i = 0; i < found.n; i++) release(call, (MemoryBlock *)(uintptr_t)found.blocks[i]);
    free(found.blocks);
    pool_reset(device);
}
