/* exec.h - runs kernels: compiled C++, thread by thread, with effects held back until the virtual
 * end.
 *
 * A launch is a closure that runs the threads of one block (made by tl::body in
 * sim/include/threelane/kernel.h). The executor gives it fibers (barriers), shared memory, warp
 * primitives, a clock, and the access hooks (-fsanitize=thread calls them; our own __tsan_*
 * functions stand in for libtsan).
 *
 * Effects: a kernel runs at its virtual start. Its plain stores are logged by the write hooks (byte
 * masks), swapped out when it has run, and published by exec_publish at its virtual end. Atomics,
 * volatile stores, and stores made before a fence land at once. A kernel that polls memory
 * (volatile or atomic reads that do not change) is suspended and resumed by exec_resume after
 * something has happened.
 *
 * Code compiled without the hooks (tlcc --plain) runs too: its stores land when the kernel runs, at
 * its virtual start; nothing is counted, a kernel cannot wait for memory that others write, and
 * only what the processor or an atomic catches becomes a fault. A divergent barrier, and a warp
 * primitive whose lanes never come, are fault 719. Its blocks run on several OS threads where that
 * is worth the while; all of this file is still called on the main one, which waits for the others.
 *
 * A launch that is `early` began before the kernels it depends on had ended: a thread that calls
 * cudaGridDependencySynchronize() stops there, the run waits (held), and exec_depend lets it go on.
 *
 * All functions run on the main OS thread with the baton held (host.h).
 */
#ifndef THREELANE_EXEC_H
#define THREELANE_EXEC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/hazard/hazard.h"
#include "timeline/trace/trace.h"

typedef struct ExecLaunch {
    const char *name; /* static storage */
    TraceDim grid, block;
    TraceDim cluster;    /* in blocks, and divides the grid; x 0: there are no clusters */
    bool cooperative;    /* all blocks are there at once: they may wait for each other */
    size_t shared_bytes; /* dynamic shared memory */
    int device;
    TraceSite site;                   /* of the launch */
    uint32_t op, stream;              /* their numbers in the trace, for reports; 0: not known */
    void (*run_block)(void *closure); /* runs threads of the current block on the current fiber: see
                                         kernel.h */
    void *closure;                    /* owned by the launch */
    void (*destroy)(void *closure);
    bool early;     /* it has not waited for the end of the kernels that it depends on */
    uint64_t order; /* 0: blocks begin in order of their number; else in another one, made from it
                     */
} ExecLaunch;

typedef struct ExecClock {
    uint64_t start_ns;   /* the kernel's virtual start: what %globaltimer says at first */
    double sm_clock_ghz; /* clock64 ticks per ns */
    uint64_t read_ns;    /* what one clock read costs a thread */
    uint64_t grid_ns;    /* exact models: a wait for a multiple of this by the clock lasts neither
                            more nor less; 0: none */
    uint64_t grid_barrier_ns, cluster_barrier_ns; /* from the last arrival until all go on */
    uint32_t sm_count; /* multiprocessors, for %smid and %nsmid; 0: one */
} ExecClock;

typedef enum ExecState {
    EXEC_DONE,    /* ran to its end: facts are complete */
    EXEC_WAITING, /* every thread left polls memory or waits for one that does */
    EXEC_FAULT    /* stopped: fault_* say why */
} ExecState;

/* What happened within a kernel (inside.h). Of memory that the device can reach: what threads
 * loaded or stored, each byte as often as one of them asked for it; `different` bytes in all; when
 * the first came. Atomic and volatile accesses are not among them. */
typedef struct ExecInsideTouch {
    uint64_t bytes, different, first_ns;
} ExecInsideTouch;
typedef struct ExecInsideMemory {
    uint32_t alloc; /* in the trace */
    ExecInsideTouch read, written;
} ExecInsideMemory;
typedef enum ExecLead {
    EXEC_LOAD_COMPUTE,
    EXEC_LOAD_STORE,
    EXEC_COMPUTE_STORE,
    EXEC_LEADS
} ExecLead;
typedef struct ExecInside {
    uint64_t barriers; /* that the block with the most has passed */
    ExecInsideMemory *memories;
    size_t n_memories;
    bool has_lead[EXEC_LEADS];
    int64_t lead[EXEC_LEADS], whole; /* how far ahead, in parts of a block's whole work */
    bool several;                    /* some warps do several things */
} ExecInside;

typedef struct ExecRun {
    ExecState state;
    bool clock_driven;                  /* it read a clock or slept: block_ns is its duration */
    uint64_t block_ns;                  /* the longest block, by its own clock */
    uint64_t bytes_read, bytes_written; /* unique bytes of device-visible memory touched (0 in
                                           --plain) */
    uint64_t accesses;                  /* memory accesses counted by the hooks (0 in --plain) */
    bool held; /* waiting: every thread left waits for what exec_depend tells, or for one that does
                */
    bool triggers; /* a block has let dependent kernels begin (cudaTriggerProgrammatic...); and: */
    bool all_triggered;    /* every block has, or has ended: */
    uint64_t triggered_ns; /* by its own clock, the last of them */
    double triggered_part; /* a guess where no clock says it: of all that the kernel does */
    uint64_t depended_ns;  /* the first return of cudaGridDependencySynchronize(), by the kernel's
                              clock; UINT64_MAX: none, or no early launch */
    uint64_t held_ns;      /* how long a thread stood there, the longest */
    double depended_part;  /* of all that the kernel does: what it had done before that */
    uint64_t waited_until_ns; /* suspended kernels: local time at which they went on */
    int fault_code;           /* cudaError value: 700 illegal address, 710 assert, 702 ..., 719 */
    char fault_text[1024];    /* one line, with file:line where known */
    TraceSite fault_site;
    ExecInside *inside;    /* NULL: nobody asked, or it waits for others than its own threads */
    struct Nested *nested; /* what its threads have launched (sim/nested); NULL: nothing */
    uint64_t nested_ns;    /* how long it lasts with all of that; 0: it has launched nothing */
} ExecRun;

/* Of which kernels it is to be found out what happens within them: names, with commas between; a
 * `*` at the end of one matches any rest. It takes three times as long. NULL: of none. */
void exec_look_inside(const char *names);

/* Kernels that do not run in this process (sim/replay/child_kernel.h): asked before a run begins.
 * True: it is over, the run's facts are there, and what it touched is in the footprint, which is
 * not live. An early launch may be held instead (EXEC_WAITING): then it runs anew from its begin
 * when what it depends on has ended, at *over_ns, and early gets what it touched before its wait.
 * NULL: all run here. */
struct Footprint;
typedef bool ExecApart(const ExecLaunch *, const ExecClock *, ExecRun *, struct Footprint *,
                       const uint64_t *over_ns, HazardBytes early[HAZARD_TOUCHES]);
extern ExecApart *exec_apart;
/* Kernels of this process have no heap: what they allocate would be gone with it. */
extern bool exec_without_heap;
/* What a run has touched, as footprint.h has it. */
const struct Footprint *exec_footprint(const ExecRun *);

/* Grids that threads of a kernel launch (sim/nested). They run when the blocks of what runs have
 * ended, one after the other, in the same footprint: the kernel has ended when all of them have,
 * and all stores come then. NULL: none. */
typedef struct ExecNestedFacts {
    uint64_t accesses, bytes, block_ns; /* of the grid that has ended; bytes: a guess */
    uint64_t bus_read, bus_written;     /* of them of pinned memory, over the bus */
    bool clock_driven;
} ExecNestedFacts;
typedef struct ExecNested {
    /* The grid that ran has ended. The next one, which begins *begin_ns after the kernel; NULL:
     * there is none, and the kernel lasts *begin_ns, if that is not 0. */
    const ExecLaunch *(*next)(ExecRun *, const ExecNestedFacts *, uint64_t *begin_ns);
    /* What was launched is forgotten: the kernel begins anew, or goes. */
    void (*forget)(ExecRun *);
} ExecNested;
extern const ExecNested *exec_nested;
/* The running kernel; NULL: none. The number of the running block in its grid. */
ExecRun *exec_running(void);
uint64_t exec_block_number(void);
/* The kernel's threads make a closure, with code that has hooks, since they have called
 * threelane_closure_new: it is there now. */
void exec_closure_made(void);

/* Takes over launch's closure. Runs until done, waiting or fault. */
ExecRun *exec_start(const ExecLaunch *, const ExecClock *);
/* Set by who promises to call exec_settle: the stores of a run that is over stay in memory until
 * then, since most are published before anybody could look. */
extern bool exec_settles_later;
/* They are held back from here on, but for this run's (NULL: all). Before anything else happens
 * than its exec_publish. */
void exec_settle(const ExecRun *but);
/* Host code goes on, which touches no device memory: what it may touch is settled. */
void exec_settle_for_host(void);
/* Goes on with a waiting run; now_ns is the virtual time at which memory may have changed. True
 * when it moved on. */
bool exec_resume(ExecRun *, uint64_t now_ns);
/* Set by who resumes kernels because nothing else can happen. */
extern bool exec_alone;
/* Whether there are variables of which each device has its own. NULL: nobody knows. */
extern bool (*exec_own_variables)(uintptr_t address, size_t bytes);
/* All variables of the program that are kernels'. NULL: nobody knows. */
extern void (*exec_variables)(void (*visit)(const void *address, size_t bytes));
/* What an early launch depends on has ended; its threads hear of it at now_ns, in exec_resume. */
void exec_depend(ExecRun *, uint64_t now_ns);
/* What an early launch had touched until then; the sets are given away. False: exec_depend has not
 * been called, or no thread had waited for it. */
bool exec_touched_early(ExecRun *, HazardBytes sets[HAZARD_TOUCHES]);
/* What it has touched, for the hazard checker. Before exec_publish. */
void exec_touched(const ExecRun *, HazardBytes sets[HAZARD_TOUCHES]);
/* What it has touched of memory that is not the device's: tell(arg, the first byte, how many it
 * read, how many it wrote), page by page. Before exec_publish. */
void exec_elsewhere(const ExecRun *,
                    void (*tell)(void *arg, uintptr_t first, uint64_t read, uint64_t written),
                    void *arg);
/* Makes the held-back stores visible. Call at the virtual end, exactly once for a finished run. */
void exec_publish(ExecRun *);
void exec_free(ExecRun *);

/* The program has ended while a kernel runs on this thread: it goes no further, and exec_touched
 * may be asked. NULL when none runs. */
ExecRun *exec_stop(void);

/* True while a kernel body runs on this thread (device code may not call the CUDA runtime). */
extern struct Run *exec_run;
static inline bool exec_in_kernel(void) { return exec_run != NULL; }
/* The running kernel's launch, for messages; NULL outside. */
const ExecLaunch *exec_current(void);

/* Is the program instrumented? Known once its constructors have run. */
bool exec_hooked(void);
/* Host-side access hooks: how many bytes host code touched since the last call (counted only when
 * enabled). Of what functions of the C library write at once, EXEC_SET_MOST or less, a byte counts
 * as set_share of one. */
enum { EXEC_SET_MOST = 16 << 20 };
void exec_count_host_bytes(bool enabled, double set_share);
uint64_t exec_take_host_bytes(void);
/* Called when host code touches memory that it must not (device memory, freed memory): address,
 * size, write, pc. */
void exec_on_host_misuse(void (*report)(const void *address, size_t bytes, bool write,
                                        const void *pc));
/* Called before host code writes or reads (plainly), and before it copies or fills (from NULL)
 * memory with a function of the C library. */
void exec_on_host_access(void (*access)(uintptr_t address, size_t bytes, bool write),
                         void (*copy)(void *to, const void *from, int value, size_t bytes));
/* From here on kernels may touch, of the program's own variables, only those in these two
 * ranges. */
void exec_only_variables(const char *begin, const char *end, const char *begin2, const char *end2);
/* Called when host code repeats a volatile or atomic read that has not changed: lets virtual time
 * go on. */
void exec_on_host_poll(void (*poll)(void));

/* Device code of the library (textures, sim/array) is about to access memory for the running
 * thread: what a hook does. pc: in the program. Who calls them is compiled as sim/exec is
 * (Makefile). */
void exec_access(uintptr_t address, size_t bytes, bool write, const void *pc);
/* The kernel ends with that error; text is its reason. Does not return. */
_Noreturn void exec_end_kernel(int error, const void *pc, const char *text);

/* The running thread ends its kernel, or the program: when all blocks before it have ended, and
 * with no other that runs. */
void exec_alone_at_end(void);

/* The runtime's copies and sets go through these, so that the bookkeeping of unfinished kernels
 * stays right: a copy that ends while a kernel holds back stores to the same bytes writes beneath
 * them. */
void exec_copy(void *to, const void *from, size_t bytes);
void exec_set(void *to, uint32_t value, unsigned element, size_t bytes);
#endif
