/* device_heap.c - malloc, new, free and delete in a kernel.
 *
 * A heap is one block of device memory. A table beside it says, for each 16 bytes at which a piece
 * begins, how long it is and whether it is in use; a request takes the next free piece that is long
 * enough, so the same program gets the same addresses. In host code all of them are the C and C++
 * library's. */
#include "sim/library/device_heap.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include "sim/exec/exec.h"
#include "sim/host/host.h"
#include "sim/host/malloced.h"
#include "sim/include/threelane/self.h"
#include "sim/memory/memory.h"

#define CALLER ((const char *)__builtin_return_address(0) - 1)

enum { UNIT = 16, DEVICES = 64 };
#define USED 0x80000000u

typedef struct Heap {
    uintptr_t address; /* of its block, which is not given out itself; 0: it has not been made */
    uint32_t units;
    uint32_t *piece; /* at its first unit: how many it has, and USED */
    uint32_t next;   /* where the search goes on */
} Heap;

static Heap heaps[DEVICES];
size_t device_heap_bytes = 8 << 20;

bool device_heap_used(void)
{
    for (int i = 0; i < DEVICES; i++)
        if (heaps[i].address) return true;
    return false;
}

static _Noreturn __attribute__((cold, noinline)) void refuse(const char *what, const void *pc)
{
    HostPosition at;
    bool known = host_position(pc, &at);

    host_fatal(HOST_STATUS_UNSUPPORTED,
               known ? (TraceSite){at.file, at.line} : (TraceSite){NULL, 0},
               "the kernel %s calls %s: where kernels run apart, for a grade, they have no heap; "
               "allocate the memory before the launch, with cudaMalloc, and give the kernel the "
               "pointer",
               exec_current()->name, what);
}

/* The heap of the device that a kernel runs on; NULL where the device has no room for it. */
static Heap *heap_now(const void *pc)
{
    int device = exec_current()->device;
    Heap *heap = device >= 0 && device < DEVICES ? &heaps[device] : NULL;
    HostPosition at;

    if (!heap) return NULL;
    const MemoryBlock *there = heap->address ? memory_find((void *)heap->address) : NULL;
    if (there && there->address == heap->address) return heap;
    free(heap->piece); /* the device has been reset */
    *heap = (Heap){0};
    size_t bytes = device_heap_bytes / UNIT * UNIT + UNIT;
    if (bytes < 2 * UNIT || bytes / UNIT >= USED) return NULL;
    bool known = host_position(pc, &at);
    MemoryBlock *block = memory_alloc(TRACE_MEM_DEVICE, device, bytes, 0,
                                      known ? (TraceSite){at.file, at.line} : (TraceSite){NULL, 0});
    if (!block) return NULL;
    block->by = "malloc in a kernel";
    block->heap = true;
    heap->units = (uint32_t)(bytes / UNIT);
    heap->piece = calloc(heap->units, sizeof *heap->piece);
    if (!heap->piece) abort();
    heap->address = block->address;
    heap->piece[0] = 1 | USED;
    heap->piece[1] = heap->units - 1;
    heap->next = 1;
    return heap;
}

/* A free piece with all that is free behind it. */
static uint32_t join(Heap *heap, uint32_t at)
{
    while (at + heap->piece[at] < heap->units && !(heap->piece[at + heap->piece[at]] & USED))
        heap->piece[at] += heap->piece[at + heap->piece[at]];
    return heap->piece[at];
}

static void *take(Heap *heap, size_t bytes)
{
    size_t wanted = bytes ? (bytes - 1) / UNIT + 1 : 1;
    uint32_t at = heap->next;

    for (bool again = false; wanted < heap->units;) {
        if (!(heap->piece[at] & USED) && join(heap, at) >= wanted) {
            uint32_t rest = heap->piece[at] - (uint32_t)wanted;
            heap->piece[at] = (uint32_t)wanted | USED;
            if (rest) heap->piece[at + wanted] = rest;
            heap->next = rest ? at + (uint32_t)wanted : 1;
            return (void *)(heap->address + (uintptr_t)at * UNIT);
        }
        at += heap->piece[at] & ~USED;
        if (at < heap->units) continue;
        if (again) break;
        again = true; /* from the beginning, once */
        at = 1;
    }
    return NULL;
}

/* free and delete of memory in the arena come here (sim/host/alloc.c). False: it is none of a
 * heap's, or host code wants to free it. */
static bool give_back(void *memory)
{
    if (!exec_in_kernel()) return false;
    threelane_in_order();
    for (int i = 0; i < DEVICES; i++) {
        Heap *heap = &heaps[i];
        uintptr_t offset = (uintptr_t)memory - heap->address;
        if (!heap->address || offset / UNIT >= heap->units) continue;
        uint32_t at = (uint32_t)(offset / UNIT);
        if (offset % UNIT || !at || !(heap->piece[at] & USED)) return false;
        heap->piece[at] &= ~USED;
        if (heap->next > at) heap->next = 1;
        return true;
    }
    return false;
}

static void *allocate(const char *what, size_t bytes, const void *pc)
{
    threelane_in_order();
    if (exec_without_heap) refuse(what, pc);
    malloced_elsewhere = give_back;
    Heap *heap = heap_now(pc);
    return heap ? take(heap, bytes) : NULL;
}

void *device_heap_take(size_t bytes, const void *pc) { return allocate("cudaMalloc", bytes, pc); }

bool device_heap_give(void *memory) { return give_back(memory); }

void *threelane_malloc(size_t bytes);
void *threelane_malloc(size_t bytes)
{
    if (__builtin_expect(exec_in_kernel(), 0)) return allocate("malloc", bytes, CALLER);
    return malloc(bytes);
}

/* operator new(size_t) and operator new[](size_t), before the C++ library's. Weak: a program may
 * have its own. */
typedef void *New(size_t);

static void *host_new(New **next, const char *name, size_t bytes)
{
    if (!*next) *(void **)next = dlsym(RTLD_NEXT, name);
    if (*next) return (*next)(bytes);
    void *memory = malloc(bytes ? bytes : 1); /* the C++ library is linked statically */
    if (!memory) abort();
    return memory;
}

void *_Znwm(size_t bytes);
void *_Znwm(size_t bytes)
{
    static New *next;
    if (__builtin_expect(exec_in_kernel(), 0)) return allocate("new", bytes, CALLER);
    return host_new(&next, "_Znwm", bytes);
}

void *_Znam(size_t bytes);
void *_Znam(size_t bytes)
{
    static New *next;
    if (__builtin_expect(exec_in_kernel(), 0)) return allocate("new", bytes, CALLER);
    return host_new(&next, "_Znam", bytes);
}
