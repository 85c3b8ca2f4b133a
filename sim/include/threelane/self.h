/* threelane/self.h - what the executor tells the running device thread about itself; C and C++.
 *
 * One kernel runs at a time, on the main OS thread and, with --plain, on others that take some of its blocks (sim/spread):
 * each has its own. The executor (sim/exec) writes them.
 */
#ifndef THREELANE_SELF_H
#define THREELANE_SELF_H
#include <stddef.h>
#include <stdint.h>

typedef struct ThreelaneSelf {
    unsigned thread[3];               /* threadIdx of the running thread */
    unsigned row;                     /* the rank of the thread that has its y and z, and whose x is 0; and: */
} ThreelaneSelf;                      /* 16 bytes: every switch of fibers copies them */
#define THREELANE_LOST 0x80000000u    /* the loop over the block's threads goes on in another fiber */

#ifdef __cplusplus
extern "C" {
#endif
extern __thread ThreelaneSelf threelane_self;
/* The running thread's rank, above any address: what hooks in line compare with (hooks.h). */
extern uint64_t threelane_turn;
#define THREELANE_TURN_SHIFT 48

/* A read of it that the instrumentation does not see: it lies where __shared__ variables lie. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define THREELANE_UNSEEN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(THREELANE_UNSEEN)
static inline __attribute__((always_inline)) unsigned threelane_unseen(const unsigned *from)
{
    unsigned value;
#if defined(__x86_64__)
    __asm__("movl %1, %0" : "=r"(value) : "m"(*from));
#else
    __asm__("ldr %w0, %1" : "=r"(value) : "m"(*from));
#endif
    return value;
}
#else
static inline __attribute__((always_inline)) unsigned threelane_unseen(const unsigned *from) { return *from; }
#endif

/* The running thread's rank in its block: x first, then y, then z. */
static inline unsigned threelane_rank(void)
{
    return (threelane_unseen(&threelane_self.row) + threelane_unseen(&threelane_self.thread[0])) & ~THREELANE_LOST;
}
static inline int threelane_lost(void) { return (threelane_unseen(&threelane_self.row) & THREELANE_LOST) != 0; }

/* The block's dynamic shared memory: one buffer at a fixed address. */
enum { THREELANE_DYNAMIC_SHARED = 256 << 10 };
extern char threelane_dynamic_shared[THREELANE_DYNAMIC_SHARED];

/* Where the OS thread has it, and the __shared__ variables; and its own of blockIdx: for code without hooks, whose
 * blocks run on several (sim/spread). */
extern __thread char *threelane_dynamic_at;
extern __thread uintptr_t threelane_static_at;
extern uintptr_t threelane_static_bytes, threelane_dynamic_bytes;   /* what there is of them in the running kernel */
extern __thread unsigned threelane_block_here[3];
extern __thread uint64_t threelane_accesses; /* that are counted */
/* Someone has kept the address of the main OS thread's for all blocks, or does what no call tells of and has one order:
 * blocks run on that one only. */
void *threelane_dynamic_for_all(void);
void threelane_one_order(void);
/* What follows must come after all that earlier blocks do. */
void threelane_in_order(void);

/* Memory for closures of launches; kernels may read it. NULL is never returned. */
void *threelane_closure_new(size_t bytes);
void threelane_closure_free(void *closure);

/* Barriers. file and line: of the call, for reports. */
void threelane_sync(const char *file, int line);
enum { THREELANE_SYNC_COUNT, THREELANE_SYNC_AND, THREELANE_SYNC_OR };
int threelane_sync_vote(int predicate, int kind, const char *file, int line);
void threelane_sync_grid(const char *file, int line);       /* ends the kernel when it is not cooperative */
int threelane_is_cooperative(void);
/* A barrier of the block with a number (0 to 15) for as many threads as say so, of which some may only arrive; one for
 * consecutive threads of the block, and values that they leave for one another: four to a slot, a slot to a thread. */
void threelane_sync_named(unsigned number, unsigned threads, int waits, const char *file, int line);
void threelane_sync_tile(unsigned first, unsigned threads, const char *file, int line);
void threelane_tile_put(unsigned slot, unsigned piece, uint64_t value);
uint64_t threelane_tile_get(unsigned slot, unsigned piece);

/* Dependent launches: the block lets the next kernel begin; the thread waits for the end of the kernels that its own
 * kernel has not waited for. */
void threelane_trigger(void);
void threelane_depend(const char *file, int line);

/* Warp primitives: the calling lane waits until every lane of the mask that has not exited is there. Values travel as
 * 64 bits. threelane_warp returns the lane's result; *flag is in_range (shuffles) or pred (match_all). */
typedef enum ThreelaneWarpOp {
    THREELANE_WARP_SYNC, THREELANE_WARP_ACTIVE,
    THREELANE_SHFL_IDX, THREELANE_SHFL_UP, THREELANE_SHFL_DOWN, THREELANE_SHFL_XOR,
    THREELANE_BALLOT, THREELANE_MATCH_ANY, THREELANE_MATCH_ALL,
    THREELANE_REDUCE_ADD, THREELANE_REDUCE_MIN, THREELANE_REDUCE_MAX, THREELANE_REDUCE_UMIN, THREELANE_REDUCE_UMAX,
    THREELANE_REDUCE_AND, THREELANE_REDUCE_OR, THREELANE_REDUCE_XOR
} ThreelaneWarpOp;
uint64_t threelane_warp(ThreelaneWarpOp op, unsigned mask, uint64_t value, unsigned lane, unsigned width, int *flag,
                        const char *file, int line);

/* Atomics on 4 or 8 bytes; the old value comes back. They land at once, and are never held back. */
typedef enum ThreelaneAtomicOp {
    THREELANE_ADD, THREELANE_SUB, THREELANE_EXCH, THREELANE_MIN, THREELANE_MAX, THREELANE_UMIN, THREELANE_UMAX,
    THREELANE_INC, THREELANE_DEC, THREELANE_AND, THREELANE_OR, THREELANE_XOR, THREELANE_ADD_FLOAT
} ThreelaneAtomicOp;
uint32_t threelane_atomic32(void *address, ThreelaneAtomicOp op, uint32_t operand);
uint64_t threelane_atomic64(void *address, ThreelaneAtomicOp op, uint64_t operand);
uint64_t threelane_atomic_cas(void *address, unsigned bytes, uint64_t expected, uint64_t desired);
void threelane_fence(void);
void threelane_fence_block(void);

/* Barriers in shared memory, of eight bytes that the executor alone changes (sim/exec/mbarrier.h). A token has the
 * phase's parity in its highest bit and what was still to come in the lowest. */
int threelane_is_shared(const void *address);   /* of the running block; 0 in host code */
void *threelane_shared_at(uint64_t address);    /* what inline PTX has cut to 32 bits */
int threelane_is_global(const void *address);   /* neither shared nor a thread's own; 0 in host code */
typedef enum ThreelaneBarrierUse {              /* what its arrivals are, for reports */
    THREELANE_ARRIVALS, THREELANE_COMMITS, THREELANE_RELEASES
} ThreelaneBarrierUse;
/* use: times 256, plus the number of the stage of the pipeline at owner; 0, NULL: a barrier by itself */
/* Is it in the running block's shared memory? Ends the kernel where it is in another block's, as a card does. */
int threelane_barrier_is_here(uintptr_t barrier, const char *file, int line);
void threelane_barrier_init(void *barrier, unsigned expected, int use, const void *owner, const char *file, int line);
void threelane_barrier_invalidate(void *barrier, const char *file, int line);
enum { THREELANE_DROP = 1, THREELANE_HOLD = 2, THREELANE_HELD = 1 << 30 };
/* HOLD: the last arrival completes nothing, its token has HELD, and threelane_barrier_complete must follow. */
uint64_t threelane_barrier_arrive(void *barrier, unsigned count, int how, const char *file, int line);
void threelane_barrier_complete(void *barrier, const char *file, int line);
void threelane_barrier_expect(void *barrier, long bytes, const char *file, int line);
enum { TL_BARRIER_TEST, TL_BARRIER_TRY, TL_BARRIER_WAIT };
int threelane_barrier_wait(const void *barrier, int parity, int how, const char *file, int line);

/* Copies to (and, in bulk, from) shared memory that are going on until somebody has waited for them. */
void threelane_copy_async(void *to, const void *from, unsigned bytes, unsigned filled);     /* the rest: zeros */
void threelane_copy_commit(void);
void threelane_copy_wait(unsigned prior);       /* groups that may go on; ~0u: none, not even the open one */
void threelane_copy_arrive(void *barrier, int counted, const char *file, int line);
void threelane_copy_bulk(void *to, const void *from, size_t bytes, void *barrier, const char *file, int line);
void threelane_store_bulk(void *to, const void *from, size_t bytes);
void threelane_store_commit(void);
void threelane_store_wait(unsigned prior);

/* Time and place. */
uint64_t threelane_clock64(void);     /* ticks of the multiprocessor's clock */
uint64_t threelane_globaltimer(void); /* ns */
void threelane_nanosleep(unsigned ns);
typedef enum ThreelaneSpecial {
    THREELANE_LANE_ID, THREELANE_WARP_ID, THREELANE_WARPS, THREELANE_SM_ID, THREELANE_SMS
} ThreelaneSpecial;
unsigned threelane_special(ThreelaneSpecial what);

/* Ends the kernel with "unspecified launch failure". */
void threelane_trap(void) __attribute__((noreturn));
#ifdef __cplusplus
}
#endif
#endif
