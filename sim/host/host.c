/* host.c - the scheduler of virtual time.
 *
 * One thread holds the baton (running) and all the others are parked on their futex words. A thread
 * that moves its time or waits calls reschedule: pick() lets device events and time-outs happen in
 * time order until some thread is the earliest, and that one gets the baton. Everything here but
 * the futex words is touched only with the baton held, so there are no locks.
 *
 * Device steps may run kernels, and kernels run on the main OS thread: when another thread finds a
 * device event to be next, it asks the main thread, which is parked, to do its pick()ing
 * (host_serve).
 */
#include "sim/engine/chance.h"
#include "sim/host/host.h"
#include "sim/host/raw.h"
#include "sim/host/host_internal.h"
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GO = 1, SERVICE = 2, SERVED = 4 }; /* bits of HostThread.word */
enum {
    REPEATED_READ_NS = 100,
    FREE_READS = 64, /* clock reads at one instant with calls that cost nothing in between */
    LOCKS_AT_ONE_INSTANT = 100000,
    POLL_ROUNDS = 64, /* turns that pollers at one time get before it goes on: they may change what
                         the others wait for, unseen */
    FRUITLESS_POLLS = 1000
};

typedef struct Job {
    void (*fn)(void *);
    void *arg;
    uint64_t start_ns;
    void (*done)(void *, uint64_t end_ns);
    void *done_arg;
    struct Job *next;
} Job;

static uint64_t no_event(void) { return HOST_NEVER; }
static void no_step(void) {}

static HostDevice device = {.next_ns = no_event, .step = no_step};
static HostCosts costs;

const HostCosts *host_costs(void) { return &costs; }
static void (*on_thread)(uint32_t, TraceThreadRole, const char *);

static const char *const role_text[TRACE_THREAD_ROLES] = {[TRACE_THREAD_MAIN] = " (main)",
                                                          [TRACE_THREAD_HOST] = "",
                                                          [TRACE_THREAD_DRIVER] =
                                                              " (runs host functions)"};

static HostThread main_thread = {.id = 1,
                                 .role = TRACE_THREAD_MAIN,
                                 .read_at = HOST_NEVER,
                                 .started = true,
                                 .polled_at = HOST_NEVER};
static HostThread *threads = &main_thread;
static HostThread *running = &main_thread;
static uint32_t last_id = 1;
static uint32_t n_waiting;
static uint64_t others_from = HOST_NEVER; /* no other thread wants to run before this time */
static uint64_t happenings, turns;
static uint64_t seed, draws; /* an explored schedule */
static bool pumping;         /* inside a device step */
static bool clock_was_read;
static uint64_t device_ns; /* the time of the last device step */

static HostThread *driver;
static Job *first_job, *last_job;

__thread HostThread *host_self_or_null;
static __thread bool on_main_os;

/* The thread whose OS thread this is; host_self() is another one while it serves that. */
static HostThread *os_self(void) { return on_main_os ? &main_thread : host_self(); }

static const char *const links[] = {&host_has_clocks, &host_has_threads, &host_has_sync,
                                    &host_has_futex,  &host_has_alloc,   &host_has_openmp,
                                    &host_has_files};

static uint64_t add(uint64_t a, uint64_t b)
{
    return b >= HOST_NEVER - 1 - a ? HOST_NEVER - 1 : a + b;
}
static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* ---- parking ---- */

static void tell(HostThread *thread, uint32_t bits)
{
    atomic_fetch_or(&thread->word, bits);
    raw_syscall(SYS_futex, (long)&thread->word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0);
}

/* Sleeps until told `until`; meanwhile does what others ask for. */
static void park(HostThread *me, uint32_t until)
{
    for (;;) {
        uint32_t word = atomic_load(&me->word);
        if (word & SERVICE) {
            atomic_fetch_and(&me->word, ~(uint32_t)SERVICE);
            HostThread *was = host_self_or_null, *asker = me->asker;
            host_self_or_null = me->on_behalf_of;
            me->service(me->service_arg);
            host_self_or_null = was;
            tell(asker, SERVED);
        } else if (word & until) {
            atomic_fetch_and(&me->word, ~until);
            return;
        } else {
            raw_syscall(SYS_futex, (long)&me->word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, word, 0, 0, 0);
        }
    }
}

void host_serve(HostThread *on, void (*fn)(void *), void *arg)
{
    on->on_behalf_of = host_self();
    on->asker = os_self();
    on->service = fn;
    on->service_arg = arg;
    tell(on, SERVICE);
    park(on->asker, SERVED);
}

void host_on_main(void (*fn)(void *), void *arg)
{
    host_self();
    if (on_main_os || host_self()->foreign) fn(arg);
    else host_serve(&main_thread, fn, arg);
}

bool host_is_main(void) { return on_main_os; }
void *host_acting(void) { return host_self(); }
void host_act_for(void *acting)
{
    host_self_or_null = acting;
    on_main_os = true;
}

/* ---- who is next ---- */

static void make_ready(HostThread *thread, uint64_t ns)
{
    if (thread->state == HOST_WAITING) n_waiting--;
    thread->state = HOST_READY;
    thread->clock = later(thread->clock, ns);
    thread->turn = 0;
    if (thread->clock < others_from) others_from = thread->clock;
}

/* Something happened at ns: whoever waited for it can go on. */
static void ask_waiters(uint64_t ns)
{
    for (HostThread *thread = threads; thread; thread = thread->next)
        if (thread->state == HOST_WAITING && (thread->cancelled || thread->ready(thread->arg)))
            make_ready(thread, ns);
}

/* When the thread wants to run next. */
static uint64_t wants(const HostThread *thread)
{
    return thread->state == HOST_READY     ? thread->clock
           : thread->state == HOST_WAITING ? thread->deadline
                                           : HOST_NEVER;
}

void host_explore(uint64_t with) { seed = with; }

uint64_t host_woken_by_nobody(void)
{
    enum { ONE_IN = 8, SOON_NS = 1000000 };
    static uint64_t waits;
    if (!seed) return HOST_NEVER;
    uint64_t c = chance(seed, CHANCE_WAKE, waits++);
    return c % ONE_IN ? HOST_NEVER : host_now() + (c >> 16) % SOON_NS;
}

/* Of two threads at one time that have not polled, does this one go first? */
static bool draws_before(const HostThread *thread, const HostThread *other)
{
    if (!seed || thread->turn != other->turn) return false;
    return chance(seed, CHANCE_THREAD, draws << 16 ^ thread->id) <
           chance(seed, CHANCE_THREAD, draws << 16 ^ other->id);
}

static HostThread *earliest(const HostThread *except)
{
    HostThread *best = NULL;
    uint64_t best_ns = HOST_NEVER;
    for (HostThread *thread = threads; thread; thread = thread->next) {
        uint64_t ns = wants(thread);
        if (thread == except || ns == HOST_NEVER) continue;
        if (!best || ns < best_ns ||
            (ns == best_ns && (thread->turn < best->turn || draws_before(thread, best)))) {
            best = thread;
            best_ns = ns;
        }
    }
    return best;
}

static bool let_device(bool (*stuck)(void))
{
    bool moved = true;
    pumping = true;
    if (stuck) moved = stuck();
    else device.step();
    pumping = false;
    happenings++;
    for (HostThread *thread = threads; thread; thread = thread->next) thread->turn = 0;
    if (n_waiting) ask_waiters(device_ns);
    return moved;
}

typedef struct Stack {
    const void *pcs[48];
    size_t n;
} Stack;
static void take_stack(void *arg)
{
    Stack *stack = arg;
    stack->n = host_backtrace(stack->pcs, sizeof stack->pcs / sizeof *stack->pcs);
}

/* Nothing can ever happen again: says who waits for what. poller: the thread that spins, or
 * NULL. */
static _Noreturn void deadlock(HostThread *poller)
{
    static char text[16384];
    size_t n = 0;
    TraceSite site = {NULL, 0};
    HostThread *me = os_self();
    for (HostThread *thread = threads; thread && n + 512 < sizeof text; thread = thread->next) {
        if ((thread->state != HOST_WAITING || thread->idle) && thread != poller) continue;
        char where[400] = "";
        TraceSite at = thread->wait_site;
        if (at.file && thread != poller) {
            snprintf(where, sizeof where, " at %s:%u", at.file, at.line);
            if (!site.file) site = at;
        } else {
            Stack stack = {.n = 0};
            HostPosition position;
            if (thread == me) take_stack(&stack);
            else host_serve(thread, take_stack, &stack);
            if (host_find_position(stack.pcs, stack.n, &position))
                snprintf(where, sizeof where, " at %s:%u", position.file, position.line);
            else if (thread->site.file)
                snprintf(where, sizeof where, "; its last CUDA call was at %s:%u",
                         thread->site.file, thread->site.line);
        }
        bool polls = thread == poller;
        n += (size_t)snprintf(text + n, sizeof text - n, "  thread %u%s %s%s%s\n", thread->id,
                              role_text[thread->role],
                              polls ? "polls something that nobody will change" : "waits in ",
                              polls ? "" : thread->what, where);
    }
    while (n && text[n - 1] == '\n') text[--n] = 0;
    host_fatal(HOST_STATUS_DEADLOCK, site,
               "deadlock: nothing can happen any more, and the program waits\n%s", text);
}

static void pick_there(void *);

/* Lets things happen in time order until a thread is next; returns it. */
static HostThread *pick(void)
{
    for (;;) {
        HostThread *best = earliest(NULL);
        uint64_t next_ns = device.next_ns();
        bool device_first = next_ns != HOST_NEVER && (!best || next_ns <= wants(best));
        if ((device_first || (!best && device.stuck)) && !on_main_os) {
            host_serve(&main_thread, pick_there, &best);
            return best;
        }
        if (device_first) {
            device_ns = next_ns;
            let_device(NULL);
        } else if (best) {
            if (best->state == HOST_WAITING) {
                make_ready(best, best->deadline);
                best->timed_out = true;
            }
            if (device.settle) device.settle();
            return best;
        } else if (!device.stuck || !let_device(device.stuck)) {
            deadlock(NULL);
        }
    }
}

static void pick_there(void *arg) { *(HostThread **)arg = pick(); }

/* The calling thread has moved its time or begun to wait: returns when it is its turn. */
static void reschedule(HostThread *me)
{
    draws++;
    HostThread *next = pick();
    if (next != me) {
        running = next;
        tell(next, GO);
        park(me, GO);
    }
    HostThread *other = earliest(me);
    others_from = other ? wants(other) : HOST_NEVER;
}

/* ---- time ---- */

uint64_t host_now(void) { return host_self()->clock; }
uint32_t host_thread(void) { return host_self()->id; }
bool host_is_driver(void) { return host_self()->role == TRACE_THREAD_DRIVER; }
void host_set_site(TraceSite site) { host_self()->site = site; }

static inline void move_to(HostThread *me, uint64_t ns)
{
    if (n_waiting && !pumping && !me->foreign)
        ask_waiters(me->clock); /* for what it did until now */
    if (ns > me->clock) {
        me->clock = ns;
        me->turn = 0;
    }
    happenings++;
    if (__builtin_expect(pumping || me->foreign, 0)) return;
    if (me->clock < others_from && device.next_ns() > me->clock) return;
    reschedule(me);
}

/* What the thread owes for the memory it touched since. */
static void pay(HostThread *me)
{
    if (__builtin_expect(costs.touched_ns_per_byte <= 0 || pumping || me->foreign ||
                             !costs.take_touched,
                         1))
        return;
    uint64_t bytes = costs.take_touched();
    if (bytes) move_to(me, add(me->clock, (uint64_t)((double)bytes * costs.touched_ns_per_byte)));
}

void host_pay(void) { pay(host_self()); }

const char *host_kernel(void) { return device.kernel ? device.kernel() : NULL; }

void host_spend(uint64_t ns)
{
    HostThread *me = host_self();
    pay(me);
    me->read_at = HOST_NEVER;
    move_to(me, add(me->clock, ns));
}

void host_advance_to(uint64_t ns)
{
    HostThread *me = host_self();
    pay(me);
    me->read_at = HOST_NEVER;
    move_to(me, ns == HOST_NEVER ? HOST_NEVER - 1 : ns);
}

bool host_clock_was_read(void) { return clock_was_read; }

uint64_t host_read_clock(void)
{
    HostThread *me = host_self();
    clock_was_read = true;
    pay(me);
    if (costs.clock_read_ns) {
        move_to(me, add(me->clock, costs.clock_read_ns));
    } else if (me->read_at == me->clock) {
        move_to(me, add(me->clock, REPEATED_READ_NS));
    } else if (me->instant != me->clock) {
        me->free_reads = 1;
    } else if (++me->free_reads > FREE_READS) {
        move_to(me, add(me->clock, REPEATED_READ_NS));
    }
    me->instant = me->read_at = me->clock;
    return me->clock;
}

/* ---- waiting ---- */

static int wait_for(bool (*ready)(void *), void *arg, uint64_t deadline_ns, const char *what,
                    TraceSite site, bool cancellable)
{
    HostThread *me = host_self();
    pay(me);
    if (ready(arg)) return 0;
    if (me->foreign || pumping)
        host_fatal(HOST_STATUS_UNSUPPORTED, site, "%s must wait, which is not possible %s", what,
                   me->foreign ? "on a thread that pthread_create did not make"
                               : "inside a kernel");
    if (cancellable && me->cancelled) return ECANCELED;
    if (deadline_ns <= me->clock) {
        host_tried();
        return ready(arg) ? 0 : ETIMEDOUT;
    }
    me->read_at = HOST_NEVER;
    me->ready = ready;
    me->arg = arg;
    me->deadline = deadline_ns;
    me->what = what;
    me->wait_site = site;
    me->timed_out = false;
    me->cancellable = cancellable;
    happenings++;
    me->state = HOST_WAITING;
    n_waiting++;
    ask_waiters(me->clock);
    reschedule(me);
    me->cancellable = false;
    if (cancellable && me->cancelled) return ECANCELED;
    return me->timed_out ? ETIMEDOUT : 0;
}

int host_wait(bool (*ready)(void *), void *arg, uint64_t deadline_ns, const char *what,
              TraceSite site)
{
    return wait_for(ready, arg, deadline_ns, what, site, false);
}

int host_wait_cancellable(bool (*ready)(void *), void *arg, uint64_t deadline_ns, const char *what)
{
    return wait_for(ready, arg, deadline_ns, what, (TraceSite){NULL, 0}, true);
}

void host_wake_cancelled(HostThread *thread)
{
    thread->cancelled = true;
    if (thread->state == HOST_WAITING && thread->cancellable) make_ready(thread, host_now());
}

/* ---- polling ---- */

static bool is_idle_poller(const HostThread *thread)
{
    return thread->polled_at == happenings && thread->rounds >= POLL_ROUNDS;
}

static void try_stuck(void *moved) { *(bool *)moved = let_device(device.stuck); }

bool host_poll_once(void)
{
    HostThread *me = host_self();
    if (me->foreign || pumping) return true;
    if (n_waiting) ask_waiters(me->clock);
    if (me->polled_at != happenings) {
        me->polled_at = happenings;
        me->rounds = 0;
    }
    me->rounds++;
    uint64_t next_ns = device.next_ns();
    bool others_turn = false;
    for (const HostThread *thread = threads; thread; thread = thread->next) {
        uint64_t ns = wants(thread);
        if (thread == me || ns == HOST_NEVER) continue;
        if (ns > me->clock) next_ns = ns < next_ns ? ns : next_ns;
        else if (!is_idle_poller(thread) || !is_idle_poller(me)) others_turn = true;
    }
    if (!others_turn) {
        if (next_ns == HOST_NEVER) {
            bool moved = false;
            if (device.stuck) host_on_main(try_stuck, &moved);
            if (!moved) return false;
        } else if (next_ns > me->clock) {
            me->clock = next_ns;
        }
    }
    me->turn = ++turns; /* whatever happens at this time happens first */
    reschedule(me);
    return true;
}

void host_poll(void)
{
    HostThread *me = host_self();
    if (host_poll_once()) me->fruitless = 0;
    else if (++me->fruitless >= FRUITLESS_POLLS) deadlock(me);
}

void host_yield(void)
{
    HostThread *me = host_self();
    if (me->foreign || pumping) return;
    pay(me);
    if (n_waiting) ask_waiters(me->clock);
    me->turn = ++turns;
    if (others_from <= me->clock) reschedule(me);
}

void host_tried(void)
{
    HostThread *me = host_self();
    if (me->read_at == me->clock) host_poll();
    me->read_at = me->clock;
}

void host_locked(void)
{
    HostThread *me = host_self();
    pay(me);
    if (me->locks_at != me->clock) {
        me->locks_at = me->clock;
        me->locks = 0;
    } else if (++me->locks >= LOCKS_AT_ONE_INSTANT) {
        me->locks = 0;
        host_poll_once();
    }
}

/* ---- threads ---- */

HostThread *host_adopt(void)
{
    HostThread *me;
    if (raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0) == getpid()) {
        me = &main_thread;
        on_main_os = true;
        main_thread.pthread = pthread_self();
    } else {
        static __thread HostThread foreign;
        me = &foreign;
        me->foreign = true;
        me->state = HOST_GONE;
        me->role = TRACE_THREAD_HOST;
        me->clock = running->clock;
        me->read_at = me->polled_at = HOST_NEVER;
    }
    host_self_or_null = me;
    return me;
}

HostThread *host_thread_new(TraceThreadRole role)
{
    HostThread *thread = calloc(1, sizeof *thread), **end = &threads;
    if (!thread) return NULL;
    thread->id = ++last_id;
    thread->role = role;
    thread->clock = host_now() + (role == TRACE_THREAD_HOST ? costs.thread_start_ns : 0);
    thread->read_at = thread->polled_at = HOST_NEVER;
    thread->state = role == TRACE_THREAD_DRIVER ? HOST_IDLE : HOST_READY;
    if (host_order) thread->order = host_order->made(thread->id, role == TRACE_THREAD_HOST);
    while (*end) end = &(*end)->next;
    *end = thread;
    return thread;
}

/* The OS thread is there: from now on it takes part. */
static void report_thread(HostThread *thread)
{
    char name[32];
    snprintf(name, sizeof name, thread->role == TRACE_THREAD_DRIVER ? "driver" : "thread %u",
             thread->id);
    if (on_thread) on_thread(thread->id, thread->role, name);
}

void host_thread_started(HostThread *thread)
{
    thread->started = true;
    if (thread->state == HOST_READY && thread->clock < others_from) others_from = thread->clock;
    happenings++;
    report_thread(thread);
}

void host_thread_begin(HostThread *me)
{
    host_self_or_null = me;
    park(me, GO);
    if (host_order && me->order) host_order->began(me->order);
    HostThread *other = earliest(me);
    others_from = other ? wants(other) : HOST_NEVER;
}

void host_thread_end(void)
{
    HostThread *me = host_self();
    pay(me);
    if (host_order && me->order) host_order->ends();
    happenings++;
    me->state = HOST_GONE;
    ask_waiters(me->clock);
    HostThread *next = pick();
    running = next;
    if (me->detached) host_thread_forget(me);
    host_self_or_null = NULL;
    tell(next, GO);
}

void host_thread_forget(HostThread *thread)
{
    HostThread **link = &threads;
    while (*link && *link != thread) link = &(*link)->next;
    if (!*link) return;
    *link = thread->next;
    if (host_order && thread->order) host_order->forgotten(thread->order);
    free(thread);
}

HostThread *host_thread_find(pthread_t pthread)
{
    for (HostThread *thread = threads; thread; thread = thread->next)
        if (thread->started && !thread->detached && pthread_equal(thread->pthread, pthread))
            return thread;
    return NULL;
}

bool host_alone(const HostThread *me)
{
    for (const HostThread *thread = threads; thread; thread = thread->next)
        if (thread != me && thread->state != HOST_GONE && thread->state != HOST_IDLE &&
            !(thread->idle && thread->state == HOST_WAITING))
            return false;
    return true;
}

/* ---- the driver thread ---- */

static void *drive(void *arg)
{
    HostThread *me = arg;
    host_signal_stack();
    host_thread_begin(me);
    for (;;) {
        Job *job = first_job;
        if (!job) {
            happenings++;
            me->state = HOST_IDLE;
            ask_waiters(me->clock);
            reschedule(me);
            continue;
        }
        first_job = job->next;
        if (!first_job) last_job = NULL;
        host_advance_to(job->start_ns);
        job->fn(job->arg);
        if (job->done) job->done(job->done_arg, me->clock);
        free(job);
    }
    return NULL;
}

void host_driver_run(void (*fn)(void *), void *arg, uint64_t start_ns,
                     void (*done)(void *, uint64_t end_ns), void *done_arg)
{
    Job *job = malloc(sizeof *job);
    if (!driver) {
        driver = host_thread_new(TRACE_THREAD_DRIVER);
        if (driver && host_os_thread(&driver->pthread, drive, driver)) host_thread_started(driver);
        else job = NULL;
    }
    if (!job)
        host_fatal(HOST_STATUS_UNSUPPORTED, (TraceSite){NULL, 0},
                   "no thread can be made for host functions");
    *job = (Job){fn, arg, start_ns, done, done_arg, NULL};
    if (last_job) last_job->next = job;
    else first_job = job;
    last_job = job;
    if (driver->state == HOST_IDLE) make_ready(driver, start_ns);
}

/* ---- set-up ---- */

void host_init(const HostDevice *with, const HostCosts *at)
{
    device = *with;
    if (!device.next_ns) device.next_ns = no_event;
    if (!device.step) device.step = no_step;
    if (at) costs = *at;
}

const HostOrder *host_order;
void host_set_order(const HostOrder *order) { host_order = order; }

void host_on_thread(void (*created)(uint32_t id, TraceThreadRole, const char *name))
{
    on_thread = created;
    for (HostThread *thread = threads; thread && created; thread = thread->next)
        if (thread != &main_thread && thread->started) report_thread(thread);
}

/* In the child of fork the calling thread is the only one, and the virtual machine is its
 * parent's. */
static void after_fork(void)
{
    HostThread *me = host_self();
    uint64_t clock = me->clock;
    host_ending_forked();
    device = (HostDevice){.next_ns = no_event, .step = no_step};
    on_thread = NULL;
    host_order = NULL;
    threads = running = &main_thread;
    main_thread = (HostThread){.id = 1,
                               .role = TRACE_THREAD_MAIN,
                               .clock = clock,
                               .read_at = HOST_NEVER,
                               .polled_at = HOST_NEVER,
                               .started = true,
                               .pthread = pthread_self()};
    last_id = 1;
    n_waiting = 0;
    others_from = HOST_NEVER;
    pumping = false;
    driver = NULL;
    seed = 0;
    first_job = last_job = NULL;
    host_self_or_null = &main_thread;
    on_main_os = true;
}

void host_setup(void)
{
    __asm__ volatile("" : : "r"(links)); /* keeps the references */
    host_self();
    pthread_atfork(NULL, NULL, after_fork);
}
