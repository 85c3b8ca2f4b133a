/* threads.c - pthread_create and what ends or awaits a thread, with the baton.
 *
 * A new thread starts at its creator's virtual time, or a little later where a model says that this
 * takes time, and runs when it is the earliest. It gives the
 * baton up for good in the last round of its thread-specific destructors, so that everything it
 * does has its place in virtual time. pthread_cancel takes effect at sleeps, joins and waits for
 * conditions, semaphores and descriptors (deferred cancellation); asynchronous cancellation is not
 * kept apart from it.
 */
#include "sim/host/host.h"
#include "sim/host/real_libc.h"
#include "sim/host/host_internal.h"
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

const char host_has_threads;

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static __thread void *signal_stack;
static __thread int rounds;
_Thread_local int host_mark;
static bool main_begun;

/* Defined by the seam (grader/build/seam.c). Where there is none, nobody has sides. */
extern const char threelane_seam __attribute__((weak));

static bool has_seam(void)
{
    const char *seam = &threelane_seam;
    __asm__("" : "+r"(seam));
    return seam != NULL;
}

void host_main_begins(void) { main_begun = true; }
bool host_student(void) { return host_mark || (!main_begun && has_seam()); }

TraceSide host_side(void)
{
    return !has_seam() ? TRACE_SIDE_NONE : host_student() ? TRACE_SIDE_STUDENT : TRACE_SIDE_HARNESS;
}

/* Runs among the destructors of thread-specific data: again and again, to be the last of them. */
static void end_thread(void *value)
{
    if (++rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(end_key, value);
        return;
    }
    host_signal_stack_free(signal_stack);
    host_thread_end();
}

static void make_end_key(void) { pthread_key_create(&end_key, end_thread); }

static void *begin_thread(void *arg)
{
    HostThread *me = arg;
    signal_stack = host_signal_stack();
    host_mark = me->mark;
    host_thread_begin(me);
    pthread_setspecific(end_key, me);
    return me->start(me->start_arg);
}

bool host_os_thread(pthread_t *pthread, void *(*fn)(void *), void *arg)
{
    return LIBC(pthread_create)(pthread, NULL, fn, arg) == 0;
}

static void *(*helper_fn)(void *);

static void *begin_helper(void *arg)
{
    host_signal_stack();
    return helper_fn(arg);
}

bool host_helper(void *(*fn)(void *), void *arg)
{
    pthread_t pthread;
    pthread_attr_t attributes;
    sigset_t all, before;
    helper_fn = fn;
    sigfillset(&all); /* those of a wrong access come all the same */
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = LIBC(pthread_create)(&pthread, &attributes, begin_helper, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return made;
}

int pthread_create(pthread_t *restrict pthread, const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict arg)
{
    if (host_self()->foreign) return LIBC(pthread_create)(pthread, attributes, start, arg);
    LIBC(pthread_once)(&end_key_once, make_end_key);
    HostThread *thread = host_thread_new(TRACE_THREAD_HOST);
    if (!thread) return EAGAIN;
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes) pthread_attr_getdetachstate(attributes, &detached);
    thread->detached = detached == PTHREAD_CREATE_DETACHED;
    thread->start = start;
    thread->start_arg = arg;
    thread->mark = host_student();
    int error = LIBC(pthread_create)(pthread, attributes, begin_thread, thread);
    if (error) {
        host_thread_forget(thread);
        return error;
    }
    thread->pthread = *pthread;
    host_thread_started(thread);
    if (host_costs()->thread_create_ns) host_spend(host_costs()->thread_create_ns);
    return 0;
}

static bool has_ended(void *thread) { return ((HostThread *)thread)->state == HOST_GONE; }

static int join(pthread_t pthread, void **result, uint64_t deadline_ns, const char *what)
{
    HostThread *me = host_self(), *thread = host_thread_find(pthread);
    if (!thread || me->foreign || thread == me) return LIBC(pthread_join)(pthread, result);
    if (me->cancelled) pthread_testcancel();
    bool waits = !has_ended(thread);
    int error = host_wait_cancellable(has_ended, thread, deadline_ns, what);
    if (!error && waits && host_costs()->thread_join_ns) host_spend(host_costs()->thread_join_ns);
    if (error == ECANCELED) pthread_testcancel();
    if (error && !has_ended(thread)) return error;
    error = LIBC(pthread_join)(pthread, result);
    if (!error && host_order && thread->order) host_order->joined(thread->order);
    if (!error) host_thread_forget(thread);
    return error;
}

int pthread_join(pthread_t pthread, void **result)
{
    return join(pthread, result, HOST_NEVER, "pthread_join");
}

int pthread_clockjoin_np(pthread_t pthread, void **result, clockid_t clock,
                         const struct timespec *until)
{
    uint64_t ns;
    if (!host_deadline(clock, until, &ns)) return EINVAL;
    return join(pthread, result, ns, "pthread_timedjoin_np");
}

int pthread_timedjoin_np(pthread_t pthread, void **result, const struct timespec *until)
{
    return until ? pthread_clockjoin_np(pthread, result, CLOCK_REALTIME, until)
                 : pthread_join(pthread, result);
}

int pthread_tryjoin_np(pthread_t pthread, void **result)
{
    HostThread *thread = host_thread_find(pthread);
    if (thread && !has_ended(thread)) {
        host_tried();
        if (!has_ended(thread)) return EBUSY;
    }
    return join(pthread, result, HOST_NEVER, "pthread_join");
}

int pthread_detach(pthread_t pthread)
{
    HostThread *thread = host_thread_find(pthread);
    int error = LIBC(pthread_detach)(pthread);
    if (!error && thread) {
        thread->detached = true;
        if (has_ended(thread)) host_thread_forget(thread);
    }
    return error;
}

static bool alone(void *me) { return host_alone(me); }

/* The main thread must stay: kernels run on it. It ends the process when all the others are done,
 * as POSIX has it. */
void pthread_exit(void *result)
{
    HostThread *me = host_self();
    if (me->role == TRACE_THREAD_MAIN) {
        TraceSite nowhere = {NULL, 0};
        host_wait(alone, me, HOST_NEVER, "pthread_exit for the other threads", nowhere);
        exit(0);
    }
    LIBC(pthread_exit)(result);
    __builtin_unreachable();
}

int pthread_cancel(pthread_t pthread)
{
    HostThread *thread = host_thread_find(pthread);
    int error = LIBC(pthread_cancel)(pthread);
    if (!error && thread) host_wake_cancelled(thread);
    return error;
}

int sched_yield(void)
{
    /* a loop that yields and waits for nothing that could ever happen is a deadlock, but one must
     * be sure */
    enum { HOPELESS = 1000 };
    static __thread int hopeless;
    if (host_poll_once()) hopeless = 0;
    else if (++hopeless % HOPELESS == 0) host_poll();
    return 0;
}
