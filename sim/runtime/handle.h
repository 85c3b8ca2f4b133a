/* handle.h - what a program holds of a stream, an event, a memory pool, a graph and its parts, and
 * of the driver's contexts, functions and modules: a kind and a number in disguise.
 *
 * The upper bits of a handle say what kind of thing it is (no address that a program can have has
 * them), the others are the thing's number, which counts from 1 for each kind. Handles are looked
 * up in a table and never followed: one that was invented, that is of another kind, or whose thing
 * is gone, is found out and not crashed on. Numbers are given out by whoever makes the thing (a
 * stream has the engine's), and are not used again.
 *
 * A new kind is a line in HandleKind, its tag below, and its word in handle.c. Objects belong to
 * who added them.
 */
#ifndef THREELANE_HANDLE_H
#define THREELANE_HANDLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "timeline/trace/trace.h"

typedef enum HandleKind {
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_POOL,
    HANDLE_CONTEXT,
    HANDLE_FUNCTION,
    HANDLE_KERNEL,
    HANDLE_MODULE,
    HANDLE_LIBRARY,
    HANDLE_GRAPH,
    HANDLE_NODE,
    HANDLE_EXEC,
    HANDLE_USER_OBJECT,
    HANDLE_ARRAY,
    HANDLE_MIPMAP,
    HANDLE_TEXTURE,
    HANDLE_SURFACE,
    HANDLE_KINDS
} HandleKind;

static const uintptr_t handle_tag[HANDLE_KINDS] =
    {[HANDLE_STREAM] = (uintptr_t)0x51ea << 44,   [HANDLE_EVENT] = (uintptr_t)0xe7ea << 44,
     [HANDLE_POOL] = (uintptr_t)0x700a << 44,     [HANDLE_CONTEXT] = (uintptr_t)0xc07e << 44,
     [HANDLE_FUNCTION] = (uintptr_t)0xf07c << 44, [HANDLE_KERNEL] = (uintptr_t)0x4e77 << 44,
     [HANDLE_MODULE] = (uintptr_t)0x30d0 << 44,   [HANDLE_LIBRARY] = (uintptr_t)0x11b4 << 44,
     [HANDLE_GRAPH] = (uintptr_t)0x64a7 << 44,    [HANDLE_NODE] = (uintptr_t)0x20de << 44,
     [HANDLE_EXEC] = (uintptr_t)0xe8ec << 44,     [HANDLE_USER_OBJECT] = (uintptr_t)0x0b1e << 44,
     [HANDLE_ARRAY] = (uintptr_t)0xa44a << 44,    [HANDLE_MIPMAP] = (uintptr_t)0x3196 << 44,
     [HANDLE_TEXTURE] = (uintptr_t)0x7e87 << 44,  [HANDLE_SURFACE] = (uintptr_t)0x5fac << 44};
enum { HANDLE_STEP = 16 }; /* from one number to the next */

typedef struct HandleSlot {
    void *object; /* NULL: nothing yet, or nothing any more (closed) */
    bool closed;
    TraceSite gone;
} HandleSlot;
typedef struct HandleTable {
    HandleSlot *slots;
    uint32_t n, room;
} HandleTable;
extern HandleTable handle_tables[HANDLE_KINDS];

/* What the program is given for the thing with that number. */
static inline void *handle_make(HandleKind kind, uint32_t number)
{
    return (void *)(handle_tag[kind] | (uintptr_t)number * HANDLE_STEP);
}

/* From now on the number stands for the object. False when memory is short. */
bool handle_add(HandleKind, uint32_t number, void *object);
/* It stands for nothing any more; site says where that was asked for. */
void handle_close(HandleKind, uint32_t number, TraceSite site);

/* One more than the highest number so far. */
static inline uint32_t handle_end(HandleKind kind) { return handle_tables[kind].n; }
/* What a number stands for; NULL: nothing, or nothing any more. */
static inline void *handle_at(HandleKind kind, uint64_t number)
{
    const HandleTable *table = &handle_tables[kind];
    return number < table->n ? table->slots[number].object : NULL;
}
/* What a handle stands for; NULL: it is none of that kind, or what it stood for is gone. */
static inline void *handle_find(HandleKind kind, const void *handle)
{
    uintptr_t rest = (uintptr_t)handle ^ handle_tag[kind];
    return rest % HANDLE_STEP ? NULL : handle_at(kind, rest / HANDLE_STEP);
}
/* Ends the program with a message: what handle_find gave NULL for was used in a call. */
_Noreturn void handle_refuse(HandleKind, const void *handle, const char *call, TraceSite);
#endif
