/* fiber.h - stacks to run device threads on, and the switch between them.
 *
 * Stacks lie in one reserved range with unreadable pages below each of the first FIBERS_GUARDED; of
 * more, a system does not keep so many ranges apart: only the access hooks see an overflow there.
 * They are made on demand and used again; a stack that was abandoned in the middle of a thread (a
 * fault) is prepared anew by fiber_reset_all.
 */
#ifndef THREELANE_FIBER_H
#define THREELANE_FIBER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/include/threelane/self.h"

/* A thread may have 512 KiB of local arrays, as on a device; the rest is for calls. */
enum {
    FIBER_STACK = 640 << 10,
    FIBER_GUARD = 64 << 10,
    FIBERS_MAX = 320 << 10,
    FIBERS_GUARDED = 16 << 10
};

typedef struct Fiber {
    /* what every switch looks at: one line of the cache */
    void *sp;           /* where it was left */
    ThreelaneSelf self; /* the thread it carries, as the thread itself is told */
    uint32_t linear;    /* its rank in the block */
    uint64_t local_ns;  /* the thread's own clock */
    const char *file;   /* where it waits */
    int line;
    uint32_t number; /* of its stack */
    struct Fiber *next_free;
    const void *barrier; /* in shared memory, that it waits for or polls; NULL: none */
    /* given to and by warp primitives */
    uint32_t mask;
    int op;
    uint64_t value, result;
    uint32_t lane, width;
    int flag;
    unsigned polled_next;
    struct {
        uintptr_t address;
        uint64_t value;
    } polled[4]; /* what it last polled, and found */
    struct {
        uintptr_t address;
        uint64_t value;
        unsigned repeats;
    } in_step;       /* what it last read in step with its warp, and how often since */
    char spread[64]; /* an odd number of lines: the first ones then fall into all sets of a cache */
} __attribute__((aligned(64))) Fiber;

/* Leaves the running stack's pointer in *save_sp and goes on where to_sp was left. */
#if defined(__x86_64__)
/* In line: the compiler then saves only what it needs, once (r15: sim/exec counts there). Every
 * switch comes from the same few places, so the jump is predicted. */
static inline __attribute__((always_inline)) void fiber_switch(void **save_sp, void *to_sp)
{
    __asm__ volatile("pushq %%rbp\n\t"
                     "pushq %%r15\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "movq %%rsp, (%0)\n\t"
                     "movq %1, %%rsp\n\t"
                     "popq %%rax\n\t"
                     "jmp *%%rax\n"
                     "1:\n\t"
                     "popq %%r15\n\t"
                     "popq %%rbp"
                     : "+D"(save_sp), "+S"(to_sp)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",
                       "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
}
#else
void fiber_switch(void **save_sp, void *to_sp);
#endif
/* A stack that will run entry() when switched to, or one that fiber_give_back was called on (it
 * goes on where it was). NULL when there are no more. */
Fiber *fiber_take(void (*entry)(void));
void fiber_give_back(Fiber *);
/* What the calling OS thread has of its own here: where that is. */
void fiber_own(void (*tell)(void *variable, size_t bytes));
bool fiber_room(uint32_t more); /* can that many more be in use at once? */
/* Is address within stacks in use (or ever used)? guard: set when it is in the page below one. */
bool fiber_owns(uintptr_t address, bool *guard);
/* Forgets what a stack was doing: it will start at entry again. */
void fiber_reset(Fiber *, void (*entry)(void));
#endif
