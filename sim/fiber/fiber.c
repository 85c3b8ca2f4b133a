/* fiber.c - see fiber.h. */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include "sim/fiber/fiber.h"

static char *stacks; /* room slots, each a guard and above it a stack */
static uint32_t room, made;
static Fiber *all;
static _Atomic bool making; /* stacks: one OS thread at a time */
/* Of each OS thread that runs blocks: stacks to use again. */
static _Thread_local Fiber *free_list;
static _Thread_local uint32_t n_free;

enum { SLOT = FIBER_STACK + FIBER_GUARD, AT_ONCE = 1024 };

void fiber_reset(Fiber *f, void (*entry)(void))
{
    /* Tops are staggered, else the same frame of every stack falls into the same sets of the
     * cache. */
    char *top = stacks + (size_t)f->number * SLOT + SLOT - (f->number % 61) * 272 / 16 * 16 - 64;
#if defined(__x86_64__)
    void **sp = (void **)top;
    *--sp = NULL; /* entry's return address: the end of every backtrace */
    void *code;
    memcpy(&code, &entry, sizeof code);
    *--sp = code; /* jumped to with the stack as a call would leave it */
#elif defined(__aarch64__)
    void **sp = (void **)(top - 160);
    memset(sp, 0, 160);
    memcpy(&sp[11], &entry, sizeof entry); /* x30 */
#else
#error "the executor's context switch knows x86-64 and arm64"
#endif
    f->sp = sp;
}

static Fiber *make(void (*entry)(void))
{
    Fiber *f;
    if (!stacks) {
        void *at = MAP_FAILED; /* fewer where address space is limited */
        for (room = FIBERS_MAX; room >= 1024 && at == MAP_FAILED; room /= 2)
            at = mmap(NULL, (size_t)room * SLOT, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) return NULL;
        room *= 2;
        all = mmap(NULL, FIBERS_MAX * sizeof *all, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) {
            munmap(at, (size_t)room * SLOT);
            return NULL;
        }
        stacks = at;
    }
    if (made == room) return NULL;
    char *slot = stacks + (size_t)made * SLOT;
    bool guarded = made < FIBERS_GUARDED;
    uint32_t many = made + AT_ONCE < room ? AT_ONCE : room - made;
    if (guarded && mprotect(slot + FIBER_GUARD, FIBER_STACK, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    if (!guarded && made % AT_ONCE == 0 &&
        mprotect(slot, (size_t)many * SLOT, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    f = &all[made];
    f->number = made++;
    fiber_reset(f, entry);
    return f;
}

Fiber *fiber_take(void (*entry)(void))
{
    Fiber *f = free_list;
    if (f) {
        free_list = f->next_free;
        n_free--;
        return f;
    }
    while (atomic_exchange(&making, true)) {}
    f = make(entry);
    atomic_store(&making, false);
    return f;
}

void fiber_own(void (*tell)(void *variable, size_t bytes))
{
    tell(&free_list, sizeof free_list);
    tell(&n_free, sizeof n_free);
}

bool fiber_room(uint32_t more) { return !stacks || more <= n_free + (room - made); }

void fiber_give_back(Fiber *f)
{
    f->next_free = free_list;
    free_list = f;
    n_free++;
}

bool fiber_owns(uintptr_t address, bool *guard)
{
    uintptr_t offset = address - (uintptr_t)stacks;
    if (!stacks || offset >= (uintptr_t)made * SLOT) return false;
    *guard = offset % SLOT < FIBER_GUARD;
    return true;
}
