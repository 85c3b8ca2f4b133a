#include "sim/runtime/handle.h"
#include "sim/host/host.h"
#include <stdlib.h>
#include <string.h>

HandleTable handle_tables[HANDLE_KINDS];

static const struct {
    const char *word, *one;
} words[HANDLE_KINDS] = {[HANDLE_STREAM] = {"stream", "a stream"},
                         [HANDLE_EVENT] = {"event", "an event"},
                         [HANDLE_POOL] = {"memory pool", "a memory pool"},
                         [HANDLE_CONTEXT] = {"context", "a context"},
                         [HANDLE_FUNCTION] = {"function", "a kernel's function"},
                         [HANDLE_KERNEL] = {"kernel", "a kernel's handle"},
                         [HANDLE_MODULE] = {"module", "a module"},
                         [HANDLE_LIBRARY] = {"library", "a library"},
                         [HANDLE_GRAPH] = {"graph", "a graph"},
                         [HANDLE_NODE] = {"node", "a node of a graph"},
                         [HANDLE_EXEC] = {"executable graph", "an executable graph"},
                         [HANDLE_USER_OBJECT] = {"user object", "a user object"},
                         [HANDLE_ARRAY] = {"array", "an array"},
                         [HANDLE_MIPMAP] = {"mipmapped array", "a mipmapped array"},
                         [HANDLE_TEXTURE] = {"texture object", "a texture object"},
                         [HANDLE_SURFACE] = {"surface object", "a surface object"}};

bool handle_add(HandleKind kind, uint32_t number, void *object)
{
    HandleTable *table = &handle_tables[kind];
    if (number >= table->room) {
        uint32_t room = 2 * number + 64;
        HandleSlot *more = realloc(table->slots, room * sizeof *more);
        if (!more) return false;
        memset(more + table->room, 0, (room - table->room) * sizeof *more);
        table->slots = more;
        table->room = room;
    }
    if (number >= table->n) table->n = number + 1;
    table->slots[number] = (HandleSlot){.object = object};
    return true;
}

void handle_close(HandleKind kind, uint32_t number, TraceSite site)
{
    handle_tables[kind].slots[number] = (HandleSlot){.closed = true, .gone = site};
}

/* Of another kind, then: which one? */
static const char *other_kind(HandleKind kind, const void *handle)
{
    for (int other = 0; other < HANDLE_KINDS; other++) {
        uintptr_t rest = (uintptr_t)handle ^ handle_tag[other];
        if (other != (int)kind && rest / HANDLE_STEP <= UINT32_MAX) return words[other].one;
    }
    return NULL;
}

void handle_refuse(HandleKind kind, const void *handle, const char *call, TraceSite site)
{
    const HandleTable *table = &handle_tables[kind];
    uintptr_t rest = (uintptr_t)handle ^ handle_tag[kind], number = rest / HANDLE_STEP;
    const HandleSlot *slot =
        rest % HANDLE_STEP == 0 && number < table->n ? &table->slots[number] : NULL;
    const char *other = other_kind(kind, handle);

    if (slot && slot->closed && slot->gone.file)
        host_fatal(HOST_STATUS_MISUSE, site, "%s: the %s was destroyed at %s:%u", call,
                   words[kind].word, slot->gone.file, slot->gone.line);
    if (slot && slot->closed)
        host_fatal(HOST_STATUS_MISUSE, site, "%s: the %s was destroyed", call, words[kind].word);
    if (other)
        host_fatal(HOST_STATUS_MISUSE, site, "%s: %p is %s, not %s", call, handle, other,
                   words[kind].one);
    host_fatal(HOST_STATUS_MISUSE, site, "%s: %p is not %s: was it ever created?", call, handle,
               words[kind].one);
}
