/* host_internal.h - the inside of sim/host: what the scheduler (host.c) offers to the files that
 * stand in for libc (clocks.c, threads.c, sync.c, futex.c, alloc.c) and to ending.c.
 */
#ifndef THREELANE_HOST_INTERNAL_H
#define THREELANE_HOST_INTERNAL_H
#include <pthread.h>
#include <stdatomic.h>
#include "sim/hazard/hazard.h"
#include "sim/host/host.h"

typedef enum HostState {
    HOST_READY,   /* runs, or would like to */
    HOST_WAITING, /* in host_wait */
    HOST_IDLE,    /* the driver thread without work */
    HOST_GONE     /* ended, or a thread that was never ours */
} HostState;

typedef struct HostThread {
    /* schedule: written with the baton held */
    uint64_t clock;
    uint64_t turn; /* among threads at one time: lowest first, 0 for one that does not poll */
    uint32_t id;
    TraceThreadRole role;
    HostState state;
    bool foreign;   /* made behind our back: outside virtual time */
    TraceSite site; /* where it last entered the runtime */
    /* what it waits for */
    bool (*ready)(void *);
    void *arg;
    uint64_t deadline;
    const char *what;
    TraceSite wait_site;
    bool timed_out, cancellable, cancelled;
    /* polling */
    uint64_t polled_at; /* the count of happenings at its last poll */
    uint64_t rounds;    /* polls since then */
    uint64_t fruitless; /* polls in a row with nothing left to happen */
    /* reading clocks, trying locks */
    uint64_t read_at; /* virtual time of the last clock read or failed try; HOST_NEVER: none since
                         something else was done */
    uint64_t instant, free_reads; /* how many reads were free at this instant */
    uint64_t locks_at, locks;     /* locks taken at this instant */
    /* the thread of the operating system */
    _Atomic uint32_t word;   /* futex: what it is told while parked */
    void (*service)(void *); /* asked of it while parked */
    void *service_arg;
    struct HostThread *asker, *on_behalf_of; /* who waits for that, and in whose name */
    void *order;                             /* HostOrder's own */
    pthread_t pthread;
    bool started, detached;
    bool idle; /* it waits for work that may never come (OpenMP's): nobody misses it */
    void *(*start)(void *);
    void *start_arg;
    int mark;                /* host_mark at its start */
    struct HostThread *next; /* all threads that are not forgotten, in order of id */
} HostThread;

extern __thread HostThread *host_self_or_null __attribute__((tls_model("initial-exec")));
HostThread *host_adopt(void);

/* The calling thread. */
static inline HostThread *host_self(void)
{
    HostThread *me = host_self_or_null;
    return __builtin_expect(me != NULL, 1) ? me : host_adopt();
}

/* HostOrder, or NULL. */
extern const HostOrder *host_order;
static inline void host_acquired(const void *object)
{
    if (__builtin_expect(host_order != NULL, 0)) host_order->acquired(object);
}
static inline void host_releases(const void *object)
{
    if (__builtin_expect(host_order != NULL, 0)) host_order->releases(object);
}

/* A new thread at the caller's time; it parks in host_thread_begin until it is its turn. */
HostThread *host_thread_new(TraceThreadRole);
void host_thread_started(HostThread *); /* its OS thread is there: it takes part */
bool host_os_thread(pthread_t *, void *(*fn)(void *), void *arg); /* threads.c: a plain OS thread */
void host_thread_begin(HostThread *);                             /* on the new thread */
void host_thread_end(void);            /* on the thread: hands the baton on for good, and returns */
void host_thread_forget(HostThread *); /* its OS thread could not be made, was joined, or is on its
                                          own */
HostThread *host_thread_find(pthread_t);
bool host_alone(const HostThread *); /* is no other thread of the program left? */

/* host_wait for waits that pthread_cancel may end: ECANCELED. */
/* An explored schedule: the time at which the calling thread is woken though nobody has (an
 * operating system may); HOST_NEVER, and without a seed always, when it is not. */
uint64_t host_woken_by_nobody(void);
int host_wait_cancellable(bool (*ready)(void *), void *arg, uint64_t deadline_ns, const char *what);
void host_wake_cancelled(HostThread *);

/* Moves on to the next thing that happens; false when nothing can. */
bool host_poll_once(void);
/* Others that want to run at this virtual time get their turn first. */
void host_yield(void);
/* A try that failed: the first at an instant is free, repeated ones poll. */
void host_tried(void);
/* A lock was taken: very many at one instant poll, so that a loop around a lock ends. */
void host_locked(void);

/* Charges the memory touched so far (HostCosts), before something that other threads can see. */
void host_pay(void);
/* The kernel that runs on the calling thread; NULL: none. */
const char *host_kernel(void);
/* What a clock read at this point says, costs charged. */
uint64_t host_read_clock(void);
/* The wall clock's virtual epoch (2025-01-01 00:00 UTC) and where CLOCK_MONOTONIC starts. */
#define HOST_WALL_NS (1735689600ull * 1000000000ull)
#define HOST_MONOTONIC_NS (1000ull * 1000000000ull)

/* Runs fn on a parked thread, while the caller waits. */
void host_serve(HostThread *on, void (*fn)(void *), void *arg);

/* ending.c */
void host_setup(void); /* host.c: called by ending.c's constructor, before any of the program's */
void host_ending_forked(void); /* in the child of fork: the trace is not ours */
void *host_signal_stack(void); /* gives the calling thread a stack for signal handlers */
void host_signal_stack_free(void *);
/* The innermost position in the program's own source. False when there is none. */
bool host_find_position(const void *const *pcs, size_t n, HostPosition *);

/* A function of the C library, called by the program, touched memory in which that matters
 * (alloc.c). */
void host_touched(const void *memory, size_t bytes, HazardTouchKind);

/* Referenced by host.c so that every stand-in is linked with it. */
extern const char host_has_clocks, host_has_threads, host_has_sync, host_has_futex, host_has_alloc,
    host_has_openmp, host_has_files;
/* What things cost here. */
const HostCosts *host_costs(void);
#endif
