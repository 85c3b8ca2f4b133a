/* exec_internal.h - what the files of sim/exec share. */
#ifndef THREELANE_EXEC_INTERNAL_H
#define THREELANE_EXEC_INTERNAL_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/exec/exec.h"
#include "sim/fiber/fiber.h"
#include "sim/exec/footprint.h"
#include "sim/exec/shared.h"
#include "sim/hazard/hazard_report.h"
#include "sim/light/budget.h"

enum {
    EXEC_NO_MEMORY = 2,
    EXEC_ILLEGAL_ADDRESS = 700,
    EXEC_ASSERT = 710,
    EXEC_STACK = 714,
    EXEC_MISALIGNED = 716,
    EXEC_LAUNCH_FAILURE = 719
};

/* A block of the grid that has begun. Threads are known by rank: x first, then y, then z. */
typedef struct Warp {
    uint32_t alive;   /* lanes that have a fiber (threads that waited at least once, not exited) */
    uint32_t pending; /* lanes that wait in a warp primitive */
    uint32_t mask;    /* theirs, when all have the same */
    bool mixed;       /* they have not, or some are in __activemask() */
    Fiber *lane[32];  /* theirs */
} Warp;

typedef struct Block {
    struct Block *next;
    uint32_t index[3];
    uint32_t total, started; /* threads; how many the loop has begun */
    uint32_t next_thread[3]; /* threadIdx of the next one */
    uint32_t fibers;         /* alive threads that have a fiber */
    uint32_t n_ready, ready_at, n_sync, n_polling, n_grid, n_waiting, n_depend, in_warp;
    Fiber **ready, **sync, **polling, **grid, **waiting, **depend; /* each with room for every
                                                                      thread */
    struct BlockBarriers *barriers;                                /* mbarrier.c's; NULL: none */
    uint32_t sync_line; /* of the first thread in the barrier */
    const char *sync_file;
    uint32_t passed_line; /* of the latest barrier that all have passed; 0: none */
    uint32_t passed;      /* how many, while somebody counts */
    bool ordered;         /* it has done something that has one order */
    uint64_t began;       /* by the processor's ticks, while EXEC_WATCHED */
    bool sync_mixed;
    int sync_kind; /* 0, or 1 + the vote's kind */
    uint32_t sync_votes;
    int sync_result;
    uint64_t base_ns;    /* the clock of threads that have not waited yet */
    uint64_t sync_ns;    /* the latest clock among those in the barrier */
    bool triggered;      /* one of its threads has let dependent kernels begin */
    uint64_t longest_ns; /* the longest local time of any of its threads */
    uint64_t accesses;   /* exec_count_accesses() when it began */
    uint64_t seen;       /* exec_progress when its pollers last had their turn */
    unsigned rounds;     /* of polling since then */
    unsigned releases;   /* of those who poll, since it began */
    void *tls, *dynamic; /* shared memory while another block runs */
    /* cluster.h: NULL while there is nothing to know of one. Who waits at its barrier; who has
     * arrived there, and need not wait any more, a bit for each thread. */
    struct Cluster *cluster;
    uint32_t cluster_rank, n_cluster, cluster_arrived[32], cluster_passed[32];
    Fiber **cluster_wait;
    bool in_window; /* tls and dynamic lie there, and are not the block's own */
    bool light;     /* its accesses have no hooks */
    Warp warps[32];
} Block;

typedef struct Run {
    ExecRun pub;       /* first: an ExecRun * is a Run * */
    ExecLaunch launch; /* of the grid that runs */
    ExecLaunch own;    /* while that is a nested one, of the kernel: */
    bool is_nested;
    uint64_t own_start_ns, own_settled; /* its start, and what has settled of it */
    uint64_t grid_accesses;             /* of the grid that runs, so far */
    ExecClock clock;
    Footprint footprint;
    uint64_t next_block, blocks;      /* to begin; in the grid */
    uint64_t block_first, block_step; /* the n-th to begin has the number block_first + n *
                                         block_step, modulo blocks */
    Block *suspended, **suspended_tail;
    struct ClusterRun *clusters;   /* NULL: none has been needed */
    const struct Cluster *went_on; /* the latest block of one that was brought back was of it */
    uint64_t longest_ns;           /* the longest local time of any thread */
    uint64_t settled;              /* blocks that have triggered or ended */
    double trigger_accesses;       /* a guess: how many of its accesses the blocks make until they
                                      trigger */
    uint64_t early_accesses;       /* those before exec_depend */
    bool depended;                 /* exec_depend has been called */
    bool waited;                   /* and threads had waited for it; they had touched `early` */
    bool apart;       /* it does not run here (ExecApart), and is held; from then on: */
    uint64_t over_ns; /* when what it depends on had ended */
    HazardBytes early[HAZARD_TOUCHES];
    uint64_t resumed_at; /* virtual time of the last resume where nothing else could happen */
    bool fenced;         /* one of its threads has made a fence: what it raises now is a signal */
    bool patient;        /* nothing but this kernel can go on: poll for longer */
    uint64_t steps;      /* counts what pollers and blocks have got done */
    BudgetLaunch budget;
    bool light;               /* hooks are switched off now, */
    uint64_t light_since;     /* since that many accesses */
    uint64_t accesses_from;   /* as exec_accesses has it */
    uint64_t spread_accesses; /* spread blocks (blocks.c): of blocks that did not trigger, run
                                 beside others */
    uint64_t spread_began, spread_bound; /* its begin; how long blocks were bound to the order */
    bool spread_ordered;                 /* some of them did something that has one order */
    char *out;                           /* what printf wrote */
    size_t out_length, out_room;
    char *site_file;
} Run;

/* blockIdx, blockDim, gridDim. Each has a page of its own, which kernels may read and which is not
 * counted: clang announces reads of them. */
enum { EXEC_PLACE = FOOTPRINT_PAGE / sizeof(uint32_t) };
#define EXEC_OWN_PAGE __attribute__((aligned(FOOTPRINT_PAGE)))
extern uint32_t threelane_block_index[EXEC_PLACE] EXEC_OWN_PAGE,
    threelane_block_dim[EXEC_PLACE] EXEC_OWN_PAGE, threelane_grid_dim[EXEC_PLACE] EXEC_OWN_PAGE;

/* The running kernel; NULL in host code. exec_kernel is the same as a flag, for the hooks. */
extern Run *exec_run;
extern _Thread_local Block *exec_block;
extern _Thread_local Fiber *exec_fiber;
extern _Thread_local unsigned exec_kernel;
/* Memory accesses that the hooks have seen kernels make. Those of code with hooks in line
 * (threelane/hooks.h) are counted in a register, which is the running fiber's own: exec_accesses is
 * exact only between kernels, exec_count_accesses() within one. These files leave it alone (they
 * are compiled with -ffixed-r15; compilers that do not know that count as ever). */
#if defined(__x86_64__) && !defined(__clang__)
#define EXEC_COUNTS_IN_REGISTER 1
#else
#define EXEC_COUNTS_IN_REGISTER 0
#endif
extern _Thread_local uint64_t exec_counted_from, exec_accesses __asm__("threelane_accesses");
extern bool threelane_counts_in_register; /* is there such code? */
static inline uint64_t exec_counter(void)
{
    uint64_t n = 0;
#if EXEC_COUNTS_IN_REGISTER
    __asm__ volatile("movq %%r15, %0" : "=r"(n));
#endif
    return n;
}
static inline uint64_t exec_count_accesses(void)
{
    return exec_accesses + (threelane_counts_in_register ? exec_counter() - exec_counted_from : 0);
}
/* The running fiber stops; it goes on. */
static inline void exec_count_stops(void)
{
    if (threelane_counts_in_register) exec_accesses = exec_count_accesses();
}
static inline void exec_count_goes_on(void) { exec_counted_from = exec_counter(); }
/* ---- blocks of a kernel on several OS threads (sim/spread), in code without hooks ----
 *
 * What only the block itself sees (barriers, warps, its shared memory) goes on at the same time;
 * for the rest, the library's own state first of all, a block waits until all before it have ended,
 * and then keeps the right until it ends. What happens is so what happens on one OS thread. */
typedef enum ExecOrder {
    EXEC_ONE_BY_ONE,
    EXEC_WATCHED, /* one by one, to see whether it is worth the while to spread the rest */
    EXEC_SPREAD
} ExecOrder;
extern ExecOrder exec_order;
void exec_wait_for_order(void);
static inline void exec_in_order(void)
{
    if (__builtin_expect(exec_order != EXEC_ONE_BY_ONE, 0)) exec_wait_for_order();
}
/* In shared memory of the running block, as its OS thread has it? */
static inline bool exec_is_here(uintptr_t address)
{
    return address - threelane_static_at < threelane_static_bytes ||
           address - (uintptr_t)threelane_dynamic_at < threelane_dynamic_bytes;
}
/* For a wrong access in a kernel: the stack on which the OS thread goes on. */
extern _Thread_local char *exec_trap_top;

/* Counts whatever may let a poller go on. */
extern _Thread_local uint64_t exec_progress;

/* A volatile access to shared memory comes: lanes of a warp make theirs in step, as the hardware
 * did for which code was written that relies on it. */
void exec_in_step(const void *pc);
/* Is the address in the block's shared memory? */
bool exec_is_shared(uintptr_t address);
/* Memory, or the program ends with a clear line. */
void *exec_allocate(size_t bytes);
bool exec_is_closure(uintptr_t address);
/* Stops the kernel; does not return. pc: where in the program, or NULL. */
_Noreturn void exec_fault(int code, const void *pc, const char *file, int line, const char *format,
                          ...) __attribute__((format(printf, 5, 6)));
/* "block (1,0,0), thread (3,0,0)" of the running thread. */
const char *exec_where(void);
/* The running thread has read address by a volatile or atomic access and found value; again: lets
 * others run. */
void exec_poll(uintptr_t address, uint64_t value);
void exec_poll_in_step(uintptr_t address, uint64_t value); /* the same, after exec_in_step */
/* What a hook does, for an access of any size. */
void exec_announce(uintptr_t address, size_t bytes, bool write, const void *pc);
/* Host code is about to copy, or (from NULL) to fill, memory. */
void exec_host_copies(void *to, const void *from, int value, size_t bytes);
/* Host code prints by this format, or this text: what it reads. */
void exec_format_reads(const char *format, va_list args, const void *pc);
void exec_text_reads(const char *text, const void *pc);
/* A bad access to [address, address + bytes), whose first bad byte is bad: faults, naming it and
 * the nearest block. */
_Noreturn void exec_bad_access(uintptr_t address, size_t bytes, uintptr_t bad, bool write,
                               const void *pc);

/* ---- between touch.c, hooks.c and footprint.c ---- */

/* Sixteen bytes need only be aligned to eight, and may then lie on two lines. */
#define TOUCH_UNTIDY(BYTES, ADDRESS) \
    ((ADDRESS) & ((BYTES) < 8 ? (BYTES)-1 : 7) || ((BYTES) == 16 && ((ADDRESS)&63) == 56))
#define TOUCH_BITS(BYTES, ADDRESS) (((1ull << (BYTES)) - 1) << ((ADDRESS)&63))
/* A plain access, of which nothing has been noted. */
void exec_touch(uintptr_t address, unsigned bytes, bool write, const void *pc);
/* Host code's accesses are counted, or told to somebody; what it polls, until it writes. */
extern bool exec_host_watched;
extern uintptr_t exec_host_quiet;
/* What was read in this page is noted, and what comes has something to tell again; so everywhere:
 * the kernel stops. */
void touch_changed(uintptr_t page);
void touch_forget(void);
/* An access that touch.c has not seen comes, or what is known of the page is looked at. */
static inline void touch_settle(const FootprintPage *page)
{
    if (__builtin_expect(page->runs, 0)) touch_changed(page->address);
}
/* So everywhere: what the threads have touched so far is noted, before the order between them
 * changes. */
void touch_tell(void);
/* The next block begins, with so many threads. After race_block_begins. */
void touch_new_block(uint32_t threads);

/* ---- between footprint.c and race.c, which keeps with its pages what it has found ---- */

/* Is anything looked for? Else what the pages say for race.c does not matter. */
extern bool race_on;
void race_page(FootprintPage *);
void race_page_gone(FootprintPage *);

/* ---- what is reported as a hazard (exec_reports.c) ---- */
void exec_report_bad_access(uintptr_t address, size_t bytes, uintptr_t bad, bool write,
                            const void *pc);
/* An access reads bytes that nothing has written (footprint_fresh). */
void exec_report_fresh(uintptr_t address, size_t bytes, const void *pc);
/* An access to an address that is not a multiple of alignment. type: of what is accessed, or NULL.
 * Where: pc, or file and line. */
void exec_report_misaligned(uintptr_t address, size_t alignment, const char *type, bool write,
                            const void *pc, const char *file, uint32_t line);
/* Two threads of the block use shared memory, unordered: other (its rank) before, at place, and the
 * running one now. */
void exec_report_shared_race(uintptr_t address, unsigned bytes, uint32_t other, SharedUse before,
                             const void *place, SharedUse now, const void *pc);
/* One uses a word that a copy is still writing: of that thread (or of no thread of the block),
 * begun at place. */
void exec_report_copy_race(uintptr_t address, uint32_t thread, const void *place, SharedUse now,
                           const void *pc);
/* A thread polls this address: a flag. */
void exec_report_poll(uintptr_t address);
/* An access past the end of the dynamic shared memory that the launch asked for: faults. */
_Noreturn void exec_report_past_shared(uintptr_t address, size_t bytes, bool write, const void *pc);
/* "1 byte past the end of table (64 bytes)"; false: of no variable. */
bool exec_report_past_text(uintptr_t bad, char *text, size_t size);
/* An access to what lies between __shared__ variables, first at bad: faults. */
_Noreturn void exec_report_past_variable(uintptr_t address, size_t bytes, uintptr_t bad, bool write,
                                         const void *pc);
/* The kernel has ended: what was found of it is reported as it is now known. */
void exec_report_end(void);
/* It runs again: nothing of the above is to be reported twice. */
void exec_report_mute(bool);
struct RacePair;
void exec_report_global_race(const struct RacePair *);
/* Not all that the kernel's threads share unordered could be looked at. */
void exec_report_partly_watched(void);
/* Threads wait at the first line; others at the second, or they have left (file NULL). text: what
 * happened. */
void exec_report_barrier(const char *file, int line, const char *other_file, int other_line,
                         const char *text);
/* Threads wait there for ever, or do what a barrier forbids. */
void exec_report_deadlock(const char *file, int line, const char *text, const char *why,
                          const char *fix);
/* A barrier there has been passed by all threads of the block but those that have ended. */
void exec_report_early_return(const char *file, uint32_t line);
/* cluster.h: is the address in a window, where the shared memory of blocks lies while another block
 * of their cluster runs? (No bytes: the running kernel has no windows.) */
extern uintptr_t cluster_base, cluster_bytes;
static inline __attribute__((always_inline)) bool cluster_has(uintptr_t address)
{
    return address - cluster_base < cluster_bytes;
}
void cluster_release_flag(uintptr_t address);
void cluster_acquire_flag(uintptr_t address);
/* The running kernel writes a flag at address: after a fence that tells whoever sees it what came
 * before. */
static inline void exec_release(uintptr_t address)
{
    if (exec_run->fenced) hazard_kernel_release(address);
    else hazard_kernel_unfenced(address);
    if (__builtin_expect(shared_fenced, 0)) shared_release_flag(address);
    if (__builtin_expect(exec_run->clusters != NULL, 0)) cluster_release_flag(address);
}
/* It has read a flag there. */
static inline void exec_acquire(uintptr_t address)
{
    hazard_kernel_acquire(address);
    if (__builtin_expect(shared_fenced, 0)) shared_acquire_flag(address);
    if (__builtin_expect(exec_run->clusters != NULL, 0)) cluster_acquire_flag(address);
}
/* An access to another block's shared memory, at its own address there, that is not ordered with
 * the other one; that may come before the block has begun, or when it has ended. */
struct RaceSide;
void exec_report_cluster_race(uintptr_t own, unsigned bytes, const struct RaceSide *,
                              const struct RaceSide *);
/* The running thread asks there for shared memory that no block of the cluster has. */
void exec_report_no_block(const char *file, int line, const char *headline, const char *why,
                          const char *fix);
void exec_report_cluster_life(uintptr_t own, unsigned bytes, const struct RaceSide *user,
                              uint64_t of, bool ended);
/* The running thread waits for a barrier in shared memory (mbarrier.h), or only lets others run
 * for a while; it looks again by itself. All who wait for that barrier may go on; their clocks are
 * then at least at local_ns. */
void block_wait(const void *barrier, bool briefly, const char *file, int line);
void block_wake(const void *barrier, uint64_t local_ns);
/* The n-th block of the run begins: does it without hooks? A block's threads go on: so they do. */
bool exec_goes_light(Run *, uint64_t n);
void exec_set_light(Run *, bool);
void schedule_init(void); /* before the first run */
/* Runs threads and blocks until none can go on. */
void schedule_run(Run *);
/* While inside_ranked: the running thread lets those go on that have their turn before it. */
void schedule_by_rank(void);
/* The running thread waits in this list, in which there is room, until exec_ready lets it go on. */
void exec_wait_in(Fiber **list, uint32_t *n, const char *file, int line);
void exec_ready(Block *, Fiber *);
/* The barrier of a cluster never completes: so many threads wait there, one of them here; others,
 * of the block `of`, do not come (other: where one of them waits; NULL: not known). */
_Noreturn void exec_cluster_barrier_fault(uint64_t cluster, uint32_t waiting, const Fiber *here,
                                          const Block *of, uint32_t others, const Fiber *other);
/* The running thread keeps its fiber and stands in the block's list of those that wait for what an
 * early launch depends on; returns when it may go on. */
void schedule_depend(const char *file, int line);
/* They may: at their own time, or at local_ns. True if there were any. */
bool schedule_depended(Run *, uint64_t local_ns);

/* ---- dependent launches (dependent.c) ---- */
void depend_new_run(Run *);
void depend_new_block(void);
void depend_block_over(void); /* every thread of the running block has ended */
/* An OS thread that has run spread blocks stops: its sums join the run's. */
void depend_spread_over(Run *);
/* The run stops, for now or for good: what is known of its trigger. */
void depend_stops(Run *);

/* Takes back the fibers and blocks of a run that will not go on. */
void schedule_abandon(Run *);
_Noreturn void schedule_leave(void); /* from a fiber to schedule_run's caller, for good */

/* Clocks (device_code.c). A thread's own time is nothing until some thread of the kernel has read a
 * clock or slept. */
typedef struct ExecTime {
    bool used;
    uint32_t thread; /* whose time local_ns is; others of the block are at the block's base_ns */
    uint64_t local_ns;
} ExecTime;
extern _Thread_local ExecTime exec_time;
static inline uint64_t exec_local_ns(uint32_t thread)
{
    return !exec_time.used              ? 0
           : exec_time.thread == thread ? exec_time.local_ns
                                        : exec_block->base_ns;
}
static inline void exec_set_local_ns(uint32_t thread, uint64_t local_ns)
{
    if (exec_time.used) exec_time.thread = thread, exec_time.local_ns = local_ns;
}
void clock_new_run(Run *);
void clock_resumed(Run *, uint64_t local_ns); /* every waiting thread is at least at local_ns */
void clock_thread_resumed(void); /* the running one: its next read is the first at this time */
void clock_new_block(void);
#endif
