/* host.h - host threads in virtual time.
 *
 * The program's threads are real OS threads, but only the one that holds the baton runs, and the
 * baton goes to the thread that is furthest behind in virtual time (ties: lowest id). Time moves
 * only when a thread spends it (a CUDA call, a sleep, a clock read) or waits. Before a thread goes
 * on at time t, every device event up to t has happened.
 *
 * Clocks, sleeps, poll and select, pthread creation and join, mutexes, condition variables,
 * semaphores, barriers, rwlocks, spin locks, once and waits through syscall(SYS_futex) are
 * interposed, so that ordinary C and C++ programs live in virtual time without knowing. Not
 * virtual: timers and alarms, the time stamp counter, a read() that blocks, objects shared between
 * processes, and libraries that make the futex system call by themselves (libgomp). Kernels run
 * only on the main OS thread (their shared memory is thread-local storage): host_on_main sees to
 * that.
 *
 * Nothing here knows CUDA. The runtime plugs the engine in through HostDevice.
 */
#ifndef THREELANE_HOST_H
#define THREELANE_HOST_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "common/exit_status.h"
#include "timeline/trace/trace.h"

#define HOST_NEVER UINT64_MAX

typedef struct HostDevice {
    uint64_t (*next_ns)(void); /* when the next device event happens; HOST_NEVER */
    void (*step)(void); /* let it happen, effects included (may run a kernel: on the main OS thread)
                         */
    bool (*stuck)(void);  /* called when nothing else can happen: true if it made something happen
                             (e.g. resumed a polling kernel), false: deadlock */
    void (*settle)(void); /* after events, before a thread goes on; may be NULL */
    const char *(*kernel)(void); /* the kernel that runs on the calling thread, for messages; NULL:
                                    none */
} HostDevice;

typedef struct HostCosts {
    uint64_t clock_read_ns; /* a clock read costs this; 0 (textbook): the first read after anything
                               else is free and a repeated one moves time by 100 ns, so that
                               spinning ends */
    uint64_t sleep_late_ns; /* a thread that slept runs again so much later than it asked for */
    uint64_t thread_create_ns;      /* what pthread_create costs its caller; the new thread runs */
    uint64_t thread_start_ns;       /* that long after the call */
    uint64_t thread_join_ns;        /* from a thread's end until one goes on that waited for it */
    double touched_ns_per_byte;     /* host code pays this for the memory it touches, */
    uint64_t (*take_touched)(void); /* which this counts: the bytes since it was last asked; NULL:
                                       nobody counts */
} HostCosts;

/* Told what orders host threads, if it is set: somebody takes an object (a mutex, a semaphore, a
 * flag), or lets go of it; a thread is made (by the calling one, for the program or to run host
 * functions; a pointer of theirs comes back), begins and ends (on it), was joined (by the calling
 * one), is forgotten. */
typedef struct HostOrder {
    void (*acquired)(const void *object);
    void (*releases)(const void *object);
    void *(*made)(uint32_t id, bool program);
    void (*began)(void *thread);
    void (*ends)(void);
    void (*joined)(void *thread);
    void (*forgotten)(void *thread);
} HostOrder;
void host_set_order(const HostOrder *);

/* Called once, by the runtime, on the main thread before any CUDA call takes effect. Without it (a
 * program that never calls CUDA) clocks and threads are virtual all the same. */
void host_init(const HostDevice *, const HostCosts *);
/* Called for every thread but the main one (which is 1, and there from the start): at once for
 * those that exist, then for each new one. May be NULL. */
void host_on_thread(void (*created)(uint32_t id, TraceThreadRole, const char *name));

/* Another legal schedule: which of several threads at one virtual time goes first is decided by the
 * seed (0: the lowest id). */
void host_explore(uint64_t seed);

uint64_t host_now(void); /* the calling thread's virtual time */
/* An exercise's program has a seam between its harness and the student's code (threelane/glue.h),
 * and whose code a thread runs is noted where it crosses it: host_mark, 1 on the student's side. A
 * new thread begins on its creator's side. Before the harness's main everything is the student's.
 */
extern _Thread_local int host_mark;
void host_main_begins(void);
bool host_student(void);    /* does the calling thread run the student's code? */
TraceSide host_side(void);  /* the same; NONE in a program without a seam */
uint32_t host_thread(void); /* its id: 1 main, 2.. in order of creation */
bool host_is_driver(void);  /* is this the thread that runs host functions? */

/* The calling thread spends time; device events up to its new time happen, threads that are behind
 * get to run. */
void host_spend(uint64_t ns);
/* Moves the calling thread to ns if that is later, like host_spend. */
void host_advance_to(uint64_t ns);

/* Did the program ever read a clock? Then what it prints may depend on times. */
bool host_clock_was_read(void);

/* Blocks the calling thread until ready(arg), asked after everything that happens. It resumes at
 * the time at which it became true (or now, if it is already). deadline_ns: HOST_NEVER or the time
 * to give up at. what: for the deadlock message ("cudaStreamSynchronize"). Returns 0, or ETIMEDOUT.
 * When nothing can ever make it true, the program ends with a message that names each waiting
 * thread, what it waits for and where (site): HOST_STATUS_DEADLOCK. */
int host_wait(bool (*ready)(void *), void *arg, uint64_t deadline_ns, const char *what, TraceSite);

/* The caller polls something that has not changed: moves it to the next thing that happens anywhere
 * (a device event or another thread's turn). If nothing can ever happen: after 1,000 such polls,
 * the deadlock message. */
void host_poll(void);

/* Runs fn(arg) on the driver thread at start_ns (or when it is free), then done(done_arg, end_ns)
 * there. Calls are run in the order they were made. */
void host_driver_run(void (*fn)(void *), void *arg, uint64_t start_ns,
                     void (*done)(void *, uint64_t end_ns), void *done_arg);

/* Runs fn(arg) on the main OS thread while the caller waits outside virtual time. Direct when
 * already there. */
void host_on_main(void (*fn)(void *), void *arg);
/* An OS thread that is no thread of the program and never ends: without a baton, with a stack for
 * signal handlers, and with every signal blocked that can be; fn is the same for all. False: there
 * are no more. */
bool host_helper(void *(*fn)(void *), void *arg);
/* Whom the calling OS thread is; from then on a helper is the same, while that one waits for it. */
void *host_acting(void);
void host_act_for(void *acting);
/* Is this the main OS thread? */
bool host_is_main(void);

/* Where the calling thread last entered the runtime; for messages about waits in pthread calls. */
void host_set_site(TraceSite);

/* Prints "threelane: file:line: text" (site may be unknown) to stderr after flushing stdout; ends
 * the process with status after running the runtime's exit hook (which closes the trace). For
 * misuse that CUDA leaves undefined. */
_Noreturn void host_fatal(int status, TraceSite, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of a kind that says more than its status (exit_status.h). before: what stands on stderr
 * in front of the text. */
_Noreturn void host_stop(StopKind, TraceSite, const char *before, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A warning on stderr, and a note in the trace; of_kind: with what it is about and who says so, as
 * words (trace.h). */
void host_warn(TraceSite, const char *format, ...) __attribute__((format(printf, 2, 3)));
void host_warn_of_kind(const char *kind, const char *by, TraceSite, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a fact to what the program says of its end (grader/box/outcome.h), where somebody wants to
 * know; else nothing. Async-signal-safe. */
void host_outcome(const char *key, const char *value);
void host_outcome_count(const char *key, unsigned count);
/* The runtime's chance to finish the trace: called once, from exit, host_fatal or a crash (crashed:
 * only async-signal-safe work). True when it has said something on stderr: why the program was
 * stopped is then repeated, as the last thing that is read. severity/text also go into the trace
 * through note. */
void host_set_exit_hook(bool (*hook)(int status, bool crashed), void (*note)(const TraceNote *));

/* What has stopped the program; NULL: nothing has. text: what was said, without its place. */
typedef struct HostStop {
    StopKind kind;
    TraceSite site;
    const char *text;
} HostStop;
const HostStop *host_stopped(void);

/* The source position of a code address in the running program, by its debug info, as the student
 * knows the file. Slow (runs addr2line); for messages about crashes. False when unknown. */
typedef struct HostPosition {
    char file[256], function[128];
    uint32_t line;
    size_t pc; /* which of the addresses (host_positions) */
} HostPosition;
bool host_position(const void *pc, HostPosition *);
/* Return addresses of the calling thread, innermost first. */
size_t host_backtrace(const void **pcs, size_t most);
/* The positions in the program's own source, innermost first: where calls were inlined, several for
 * one address. Tells how many there are, `most` at most. */
size_t host_positions(const void *const *pcs, size_t n, HostPosition *, size_t most);

/* What lies at an address, for messages: "device memory allocated at ex43.cu:9", "12 bytes past the
 * end of the 4096-byte block allocated at ex43.cu:9", "memory freed at ex43.cu:30 (allocated at
 * ex43.cu:9)", "a null pointer". False (and an empty text) when nothing is known about it. */
bool host_describe_address(const void *address, char *text, size_t text_size);

#endif
