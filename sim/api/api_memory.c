/* api_memory.c - allocating, pinning, freeing, and asking what a pointer is. */
#include "sim/api/api_memory.h"
#include "sim/graph/graph_memory.h"
#include "sim/runtime/pool.h"
#include "sim/runtime/misuse.h"
#include "sim/library/device_heap.h"
#include "sim/nested/nested.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ALLOC_FLAGS = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined,
    REGISTER_FLAGS = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory |
                     cudaHostRegisterReadOnly,
    PITCH = 512
};

MemoryBlock *api_block_to_free(const Call *call, const void *address, const char *verb,
                               TraceMemory kind, TraceMemory or)
{
    MemoryBlock *block = memory_find(address);
    if (block && block->address == (uintptr_t)address &&
        (block->kind == kind || block->kind == or) && !block->leaving.file &&
        (!block->graph || graph_memory_of(block)->live))
        return block;
    misuse_free(call, address, verb);
    return NULL;
}

/* ---- device memory ---- */

static cudaError_t allocate(Call *call, TraceMemory kind, void **to, size_t bytes, unsigned flags)
{
    if (!to) return cudaErrorInvalidValue;
    *to = NULL;
    if (!bytes) return cudaSuccess;
    int device = kind == TRACE_MEM_DEVICE ? call_device() : -1;
    MemoryBlock *block = memory_alloc(kind, device, bytes, flags, call->site);
    if (!block && device >= 0 && pool_spare(device))
        block = memory_alloc(kind, device, bytes, flags, call->site);
    if (!block) return cudaErrorMemoryAllocation;
    call_allocated(call, block);
    block_made(call, block);
    *to = (void *)block->address;
    return cudaSuccess;
}

/* In device code: memory of the device's heap. */
static cudaError_t take_in_kernel(void **to, size_t bytes)
{
    void *memory = to ? device_heap_take(bytes, __builtin_return_address(0)) : NULL;
    if (!to) return nested_failed(cudaErrorInvalidValue);
    nested_give(to, &memory, sizeof memory, __builtin_return_address(0));
    return memory || !bytes ? cudaSuccess : nested_failed(cudaErrorMemoryAllocation);
}

API(cudaMalloc, CALL_UNSAFE | CALL_IN_KERNEL, (void **devPtr, size_t size), (devPtr, size))
{
    if (exec_in_kernel()) return take_in_kernel(devPtr, size);
    call_spend(call->costs->malloc_);
    return allocate(call, TRACE_MEM_DEVICE, devPtr, size, 0);
}

API(cudaMallocPitch, CALL_UNSAFE, (void **devPtr, size_t *pitch, size_t width, size_t height),
    (devPtr, pitch, width, height))
{
    if (!devPtr || !pitch) return cudaErrorInvalidValue;
    *devPtr = NULL;
    *pitch = 0;
    if (!width || !height) return cudaSuccess;
    call_spend(call->costs->malloc_);
    size_t row_bytes = width > SIZE_MAX - PITCH ? 0 : (width + PITCH - 1) / PITCH * PITCH;
    if (!row_bytes || row_bytes > SIZE_MAX / height) return cudaErrorInvalidValue;
    cudaError_t error = allocate(call, TRACE_MEM_DEVICE, devPtr, row_bytes * height, 0);
    if (!error) *pitch = row_bytes;
    /* what is between the rows may be copied with them */
    for (size_t row = 0; !error && memory_watch_written && *pitch > width && row < height; row++)
        memory_written((char *)*devPtr + row * *pitch + width, *pitch - width);
    return error;
}

API(cudaMallocManaged, CALL_UNSAFE, (void **devPtr, size_t size, unsigned flags),
    (devPtr, size, flags))
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    call_spend(call->costs->malloc_);
    return allocate(call, TRACE_MEM_MANAGED, devPtr, size, flags);
}

/* Waits for the device, as the driver does; not for memory from a pool. */
API(cudaFree, CALL_UNSAFE | CALL_IN_KERNEL, (void *devPtr), (devPtr))
{
    if (exec_in_kernel()) {
        bool given = !devPtr || device_heap_give(devPtr);
        return given ? cudaSuccess : nested_failed(cudaErrorInvalidValue);
    }
    if (!devPtr) return cudaSuccess;
    MemoryBlock *block =
        api_block_to_free(call, devPtr, "frees", TRACE_MEM_DEVICE, TRACE_MEM_MANAGED);
    if (!block) return cudaErrorInvalidValue;
    call_spend(call->costs->free_);
    if (block->graph) { /* it comes back with the next launch of its graph */
        block->leaving = call->site.file ? call->site : (TraceSite){"", 0};
        graph_memory_freed(block->graph);
        return cudaSuccess;
    }
    block_about_to_go(call, block, !block->pool);
    cudaError_t error =
        block->pool ? cudaSuccess : call_wait_device(call, block->device, CALL_BY_LUCK);
    block_give_back(call, block);
    return error;
}

/* ---- pinned memory ---- */

static void spend(uint64_t fixed_ns, uint64_t per_mib_ns, size_t bytes)
{
    call_spend(fixed_ns + (uint64_t)((double)bytes / (1 << 20) * (double)per_mib_ns));
}

static void spend_pinning(const Call *call, size_t bytes)
{
    spend(call->costs->malloc_host, call->costs->malloc_host_per_mib, bytes);
}

static cudaError_t allocate_pinned(Call *call, void **to, size_t bytes, unsigned flags)
{
    if (!to) return cudaErrorInvalidValue;
    *to = NULL;
    if (bytes && flags & ~(unsigned)ALLOC_FLAGS) return cudaErrorInvalidValue;
    cudaError_t error = allocate(call, TRACE_MEM_PINNED, to, bytes, flags);
    if (!error) spend_pinning(call, bytes);
    return error;
}

API(cudaMallocHost, CALL_UNSAFE, (void **ptr, size_t size), (ptr, size))
{
    return allocate_pinned(call, ptr, size, 0);
}

API(cudaHostAlloc, CALL_UNSAFE, (void **pHost, size_t size, unsigned flags), (pHost, size, flags))
{
    return allocate_pinned(call, pHost, size, flags);
}

API(cudaFreeHost, CALL_UNSAFE, (void *ptr), (ptr))
{
    if (!ptr) return cudaSuccess;
    MemoryBlock *block = api_block_to_free(call, ptr, "frees", TRACE_MEM_PINNED, TRACE_MEM_PINNED);
    if (!block) return cudaErrorInvalidValue;
    spend(call->costs->free_host, call->costs->free_host_per_mib, block->bytes);
    block_about_to_go(call, block, false);
    cudaError_t error = call_wait_device(call, -1, CALL_BY_LUCK);
    block_give_back(call, block);
    return error;
}

/* Does this process have memory there? */
static bool has_page(const void *address)
{
    unsigned char there;
    uintptr_t page = (uintptr_t)address & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);
    return mincore((void *)page, 1, &there) == 0;
}

API(cudaHostRegister, CALL_UNSAFE, (void *ptr, size_t size, unsigned flags), (ptr, size, flags))
{
    if (!ptr || !size || flags & ~(unsigned)REGISTER_FLAGS) return cudaErrorInvalidValue;
    /* no memory here is a device's registers */
    if (flags & cudaHostRegisterIoMemory || !has_page(ptr)) return cudaErrorInvalidValue;
    if ((uintptr_t)ptr - memory_base < memory_span) return cudaErrorInvalidValue;
    MemoryBlock *block = memory_register(ptr, size, flags, call->site);
    if (!block) return cudaErrorHostMemoryAlreadyRegistered;
    if (call->costs->host_register)
        spend(call->costs->host_register, call->costs->host_register_per_mib, size);
    else spend_pinning(call, size);
    block_made(call, block);
    return cudaSuccess;
}

API(cudaHostUnregister, CALL_UNSAFE, (void *ptr), (ptr))
{
    if (!ptr) return cudaErrorInvalidValue;
    MemoryBlock *block = memory_find(ptr);
    if (!block || block->kind != TRACE_MEM_REGISTERED || block->address != (uintptr_t)ptr) {
        misuse_free(call, ptr, "unregisters");
        return block ? cudaErrorInvalidValue : cudaErrorHostMemoryNotRegistered;
    }
    spend(call->costs->free_host, call->costs->host_unregister_per_mib, block->bytes);
    block_about_to_go(call, block, false);
    cudaError_t error = call_wait_device(call, -1, CALL_BY_LUCK);
    block_give_back(call, block);
    return error;
}

/* ---- what a pointer is ---- */

static const MemoryBlock *pinned_block(const void *address)
{
    const MemoryBlock *block = memory_find(address);
    return block && (block->kind == TRACE_MEM_PINNED || block->kind == TRACE_MEM_REGISTERED) ? block
                                                                                             : NULL;
}

API(cudaHostGetDevicePointer, 0, (void **pDevice, void *pHost, unsigned flags),
    (pDevice, pHost, flags))
{
    if (!pDevice || flags || !pinned_block(pHost)) return cudaErrorInvalidValue;
    *pDevice = pHost; /* unified addressing: the same on both sides */
    return cudaSuccess;
}

API(cudaHostGetFlags, 0, (unsigned *pFlags, void *pHost), (pFlags, pHost))
{
    const MemoryBlock *block = pinned_block(pHost);
    if (!pFlags || !block) return cudaErrorInvalidValue;
    *pFlags = block->flags | cudaHostAllocMapped; /* unified addressing maps everything */
    return cudaSuccess;
}

API(cudaMemGetInfo, 0, (size_t * free, size_t *total), (free, total))
{
    if (free) *free = memory_free_bytes(call_device());
    if (total) *total = memory_total_bytes(call_device());
    return cudaSuccess;
}

API(cudaPointerGetAttributes, CALL_AFTER_FAULT,
    (struct cudaPointerAttributes * attributes, const void *ptr), (attributes, ptr))
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
