/* alloc.c - free and realloc refuse memory of the virtual machine, by name; what malloc and its kin
 * make is known (malloced.h). operator new and delete come here as well. A few nanoseconds for all
 * other memory.
 */
#include "sim/hazard/hazard.h"
#include "sim/hazard/hazard_report.h"
#include "sim/host/malloced.h"
#include "sim/host/host.h"
#include "sim/host/host_internal.h"
#include "sim/memory/memory.h"
#include <elf.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

const char host_has_alloc;
bool (*malloced_elsewhere)(void *memory);

extern const Elf64_Ehdr __ehdr_start; /* by the linker: the program's first byte and the end of its
                                         code */
extern const char etext[];

void __libc_free(void *);
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static _Noreturn __attribute__((cold, noinline)) void refuse(const char *function,
                                                             const void *memory)
{
    static const struct {
        const char *made, *use;
    } words[TRACE_MEMORIES] = {[TRACE_MEM_DEVICE] = {"cudaMalloc", "cudaFree"},
                               [TRACE_MEM_PINNED] = {"cudaMallocHost", "cudaFreeHost"},
                               [TRACE_MEM_MANAGED] = {"cudaMallocManaged", "cudaFree"}};
    MemoryBlock *block = memory_find(memory), *freed = block ? NULL : memory_find_freed(memory);
    const void *pcs[32];
    HostPosition at;
    char where[300] = "";
    TraceSite site = {NULL, 0};
    if (host_find_position(pcs, host_backtrace(pcs, sizeof pcs / sizeof *pcs), &at))
        site = (TraceSite){at.file, at.line};
    const MemoryBlock *known = block ? block : freed;
    if (!known)
        host_fatal(HOST_STATUS_MISUSE, site,
                   "%s() of address %p, which was never allocated (it lies in CUDA memory)",
                   function, memory);
    const char *made = known->by     ? known->by
                       : known->pool ? "cudaMallocAsync"
                                     : words[known->kind].made;
    const char *use = known->heap   ? "free() or delete in a kernel"
                      : known->pool ? "cudaFreeAsync"
                                    : words[known->kind].use;
    if (known->kind == TRACE_MEM_PINNED && known->flags) made = "cudaHostAlloc";
    if (known->made.file)
        snprintf(where, sizeof where, " (%s:%u)", known->made.file, known->made.line);
    if (freed && freed->gone.file)
        host_fatal(HOST_STATUS_MISUSE, site,
                   "%s() of memory from %s%s, which was already freed at %s:%u", function, made,
                   where, freed->gone.file, freed->gone.line);
    host_fatal(HOST_STATUS_MISUSE, site, "%s() of memory from %s%s: use %s", function, made, where,
               use);
}

/* Where the program called the C library's function that is here now. */
static __attribute__((noinline)) const void *caller(void)
{
    const void *pcs[12];
    enum { OURS = 4 }; /* frames: host_backtrace, this one, who asks, the function */
    size_t n = host_backtrace(pcs, sizeof pcs / sizeof *pcs);
    for (size_t i = OURS; i < n; i++)
        if ((uintptr_t)pcs[i] >= (uintptr_t)&__ehdr_start && (uintptr_t)pcs[i] < (uintptr_t)etext)
            return pcs[i];
    return NULL;
}

static __thread bool inside; /* what is freed on the way is not the program's */

/* The driver keeps registered pages in place, whoever gets this memory next. */
static void report_registered(const void *memory, size_t bytes, const void *pc)
{
    const MemoryBlock *block = memory_find(memory),
                      *above = block ? NULL : memory_find_above(memory);
    if (above && above->address - (uintptr_t)memory < bytes) block = above;
    if (!block || block->kind != TRACE_MEM_REGISTERED) return;
    hazard_report(&(HazardReport){.kind = HAZARD_WRONG_MEMORY,
                                  .headline = "host code frees {m}, which is still registered",
                                  .address = (const void *)block->address,
                                  .bytes = block->bytes,
                                  .second = {.verb = "frees", .pc = pc, .thread = host_thread()},
                                  .why = "cudaHostRegister pins the pages of this memory, and "
                                         "free() and delete do not undo that",
                                  .fix = "call cudaHostUnregister before the memory is freed"});
}

/* Memory that a copy used, and may still use. */
static __attribute__((cold, noinline)) void tell(void *memory)
{
    if (!hazard_on || !memory || inside) return;
    inside = true;
    const void *pc = caller();
    size_t bytes = malloc_usable_size(memory);
    report_registered(memory, bytes, pc);
    hazard_host_frees(memory, bytes, pc);
    inside = false;
}

__attribute__((cold, noinline)) void host_touched(const void *memory, size_t bytes,
                                                  HazardTouchKind kind)
{
    if (inside) return;
    inside = true;
    hazard_host_access((uintptr_t)memory, bytes, kind, caller());
    inside = false;
}

void *malloc(size_t bytes)
{
    void *memory = __libc_malloc(bytes);
    malloced_made(memory, bytes);
    return memory;
}

void *calloc(size_t count, size_t size)
{
    void *memory = __libc_calloc(count, size);
    malloced_made(memory, count * size);
    return memory;
}

void free(void *memory)
{
    if (__builtin_expect((uintptr_t)memory - memory_base < memory_span, 0)) {
        if (malloced_elsewhere && malloced_elsewhere(memory)) return;
        refuse("free", memory);
    }
    if (__builtin_expect(hazard_tracks((uintptr_t)memory), 0)) tell(memory);
    malloced_gone(memory);
    __libc_free(memory);
}

void *realloc(void *memory, size_t bytes)
{
    MallocedBlock before;
    if (__builtin_expect((uintptr_t)memory - memory_base < memory_span, 0))
        refuse("realloc", memory);
    bool known = memory && malloced_find(memory, &before);
    malloced_gone(memory);
    void *made = __libc_realloc(memory, bytes);
    if (made) malloced_made(made, bytes);
    else if (bytes && known) malloced_made(memory, before.bytes);
    return made;
}
