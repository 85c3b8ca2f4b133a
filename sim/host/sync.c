/* sync.c - mutexes, conditions, semaphores, barriers, rwlocks, spin locks and once, waiting in
 * virtual time.
 *
 * Only one thread runs at a time, so a lock is taken with the real try function, which keeps the
 * real object right (owner, recursion, robustness), and what would block waits in host_wait until a
 * try could succeed. Releasing needs no help: host_wait looks again after everything that happens.
 * Conditions, barriers and spin locks never block for real, so their state is ours: a list of
 * waiters, and the words of the object. Among threads that could go on at one virtual time the
 * lowest id is first, and pthread_cond_signal wakes the one that has waited longest. Objects shared
 * between processes work only within one.
 */
#include "sim/host/host.h"
#include "sim/host/real_libc.h"
#include "sim/host/host_internal.h"
#include <errno.h>
#include <semaphore.h>
#include <stddef.h>
#include <unistd.h>

const char host_has_sync;

static const TraceSite nowhere = {NULL, 0};

static int had(int error, const void *object)
{
    if (!error) host_acquired(object);
    return error;
}

/* Takes something with `try` until it is had, waiting in between until `ready` says that it may
 * be. */
static int take(int (*try)(void *), bool (*ready)(void *), void *object, uint64_t deadline_ns,
                const char *what)
{
    for (;;) {
        int error = try(object);
        if (error != EBUSY) return had(error, object);
        error = host_wait(ready, object, deadline_ns, what, nowhere);
        if (error) return had(try(object) == 0 ? 0 : error, object);
    }
}

/* ---- mutexes ---- */

static int try_mutex(void *mutex) { return LIBC(pthread_mutex_trylock)(mutex); }

static bool mutex_is_free(void *mutex)
{
    return *(volatile int *)&((pthread_mutex_t *)mutex)->__data.__lock == 0;
}

static bool mutex_is_mine(pthread_mutex_t *mutex)
{
    enum { KIND = 3 }; /* the bits of __kind that hold PTHREAD_MUTEX_..._NP */
    return (mutex->__data.__kind & KIND) == PTHREAD_MUTEX_ERRORCHECK_NP &&
           mutex->__data.__owner == gettid();
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int error = try_mutex(mutex);
    if (error == EBUSY) {
        if (host_self()->foreign || mutex_is_mine(mutex)) return LIBC(pthread_mutex_lock)(mutex);
        error = take(try_mutex, mutex_is_free, mutex, HOST_NEVER, "pthread_mutex_lock");
    } else {
        had(error, mutex);
    }
    host_locked();
    return error;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    host_releases(mutex);
    return LIBC(pthread_mutex_unlock)(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    int error = try_mutex(mutex);
    if (error == EBUSY) host_tried();
    else had(error, mutex), host_locked();
    return error;
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    uint64_t ns;
    int error = try_mutex(mutex);
    if (error != EBUSY) return had(error, mutex);
    if (host_self()->foreign || mutex_is_mine(mutex)) return LIBC(pthread_mutex_lock)(mutex);
    if (!host_deadline(clock, until, &ns)) return EINVAL;
    return take(try_mutex, mutex_is_free, mutex, ns, "pthread_mutex_timedlock");
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
    return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, until);
}

/* ---- conditions ---- */

typedef struct Waiter {
    const void *object;
    bool woken;
    struct Waiter *next;
} Waiter;

static Waiter *waiters; /* all conditions; in order of arrival */

static bool is_woken(void *waiter) { return ((Waiter *)waiter)->woken; }

static int wake(const void *object, int most)
{
    int n = 0;
    if (waiters) host_pay();
    for (Waiter *waiter = waiters; waiter && n < most; waiter = waiter->next) {
        if (waiter->object != object || waiter->woken) continue;
        waiter->woken = true;
        n++;
    }
    return n;
}

static int wait_condition(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline_ns,
                          const char *what)
{
    HostThread *me = host_self();
    if (me->cancelled) pthread_testcancel();
    int error = pthread_mutex_unlock(mutex);
    if (error) return error;
    Waiter waiter = {.object = condition}, **link = &waiters;
    while (*link) link = &(*link)->next;
    *link = &waiter;
    uint64_t nobody_ns = host_woken_by_nobody();
    bool early = nobody_ns < deadline_ns;
    error = host_wait_cancellable(is_woken, &waiter, early ? nobody_ns : deadline_ns, what);
    if (early && error == ETIMEDOUT) error = 0;
    link = &waiters;
    while (*link != &waiter) link = &(*link)->next;
    *link = waiter.next;
    int locked = take(try_mutex, mutex_is_free, mutex, HOST_NEVER, "pthread_mutex_lock");
    if (error == ECANCELED) {
        if (waiter.woken) wake(condition, 1); /* a wake-up must not be lost with the thread */
        pthread_testcancel();
        error = 0; /* cancellation is disabled: a spurious wake-up */
    }
    return locked ? locked : waiter.woken ? 0 : error;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex)
{
    return wait_condition(condition, mutex, HOST_NEVER, "pthread_cond_wait");
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           clockid_t clock, const struct timespec *restrict until)
{
    uint64_t ns;
    if (!host_deadline(clock, until, &ns)) return EINVAL;
    return wait_condition(condition, mutex, ns, "pthread_cond_timedwait");
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
    enum { MONOTONIC = 2 }; /* the bit of __wrefs that pthread_cond_init sets for CLOCK_MONOTONIC */
    clockid_t clock = condition->__data.__wrefs & MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return pthread_cond_clockwait(condition, mutex, clock, until);
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    wake(condition, 1);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    wake(condition, 1 << 30);
    return 0;
}

/* ---- semaphores ---- */

static int try_semaphore(void *semaphore)
{
    if (LIBC(sem_trywait)(semaphore) == 0) return 0;
    return errno == EAGAIN ? EBUSY : errno;
}

static bool semaphore_is_up(void *semaphore)
{
    int value;
    return sem_getvalue(semaphore, &value) == 0 && value > 0;
}

static int wait_semaphore(sem_t *semaphore, uint64_t deadline_ns, const char *what)
{
    int error;
    if (host_self()->foreign) return LIBC(sem_wait)(semaphore);
    if (host_self()->cancelled) pthread_testcancel();
    while ((error = try_semaphore(semaphore)) == EBUSY) {
        error = host_wait_cancellable(semaphore_is_up, semaphore, deadline_ns, what);
        if (error == ECANCELED) pthread_testcancel();
        if (error != ETIMEDOUT) continue;
        error = try_semaphore(semaphore) ? ETIMEDOUT : 0;
        break;
    }
    if (!had(error, semaphore)) return 0;
    errno = error;
    return -1;
}

int sem_post(sem_t *semaphore)
{
    host_releases(semaphore);
    return LIBC(sem_post)(semaphore);
}

int sem_wait(sem_t *semaphore) { return wait_semaphore(semaphore, HOST_NEVER, "sem_wait"); }

int sem_trywait(sem_t *semaphore)
{
    int error = try_semaphore(semaphore);
    if (!had(error, semaphore)) return 0;
    if (error == EBUSY) host_tried();
    errno = error == EBUSY ? EAGAIN : error;
    return -1;
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until)
{
    uint64_t ns;
    if (!host_deadline(clock, until, &ns)) {
        if (LIBC(sem_trywait)(semaphore) == 0) return had(0, semaphore);
        errno = EINVAL;
        return -1;
    }
    return wait_semaphore(semaphore, ns, "sem_timedwait");
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
    return sem_clockwait(semaphore, CLOCK_REALTIME, until);
}

/* ---- barriers: the object is ours ---- */

typedef struct Barrier {
    unsigned magic, count, arrived, round;
} Barrier;
enum { BARRIER_MAGIC = 0x62617272 };
_Static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t), "a barrier fits in its object");

typedef struct BarrierWait {
    volatile Barrier *barrier;
    unsigned round;
} BarrierWait;

static bool round_is_over(void *arg)
{
    BarrierWait *wait = arg;
    return wait->barrier->round != wait->round;
}

int pthread_barrier_init(pthread_barrier_t *restrict object,
                         const pthread_barrierattr_t *restrict attributes, unsigned count)
{
    (void)attributes;
    if (!count) return EINVAL;
    *(Barrier *)(void *)object = (Barrier){.magic = BARRIER_MAGIC, .count = count};
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *object)
{
    Barrier *barrier = (Barrier *)(void *)object;
    if (barrier->magic != BARRIER_MAGIC) return EINVAL;
    if (barrier->arrived) return EBUSY;
    barrier->magic = 0;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *object)
{
    Barrier *barrier = (Barrier *)(void *)object;
    if (barrier->magic != BARRIER_MAGIC) return EINVAL;
    host_releases(object);
    if (++barrier->arrived == barrier->count) {
        barrier->arrived = 0;
        barrier->round++;
        host_acquired(object);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    BarrierWait wait = {barrier, barrier->round};
    host_wait(round_is_over, &wait, HOST_NEVER, "pthread_barrier_wait", nowhere);
    host_acquired(object);
    return 0;
}

/* ---- rwlocks ---- */

static int try_read(void *lock) { return LIBC(pthread_rwlock_tryrdlock)(lock); }
static int try_write(void *lock) { return LIBC(pthread_rwlock_trywrlock)(lock); }

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    host_releases(lock);
    return LIBC(pthread_rwlock_unlock)(lock);
}

static bool can(int (*try)(void *), void *lock)
{
    int error = try(lock);
    if (!error) LIBC(pthread_rwlock_unlock)(lock);
    return error != EBUSY;
}
static bool can_read(void *lock) { return can(try_read, lock); }
static bool can_write(void *lock) { return can(try_write, lock); }

static bool writes_already(pthread_rwlock_t *lock) { return lock->__data.__cur_writer == gettid(); }

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (writes_already(lock)) return EDEADLK;
    int error = take(try_read, can_read, lock, HOST_NEVER, "pthread_rwlock_rdlock");
    host_locked();
    return error;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (writes_already(lock)) return EDEADLK;
    int error = take(try_write, can_write, lock, HOST_NEVER, "pthread_rwlock_wrlock");
    host_locked();
    return error;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    int error = try_read(lock);
    if (error == EBUSY) host_tried();
    return had(error, lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    int error = try_write(lock);
    if (error == EBUSY) host_tried();
    return had(error, lock);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict until)
{
    uint64_t ns;
    if (writes_already(lock)) return EDEADLK;
    if (!host_deadline(clock, until, &ns)) return EINVAL;
    return take(try_read, can_read, lock, ns, "pthread_rwlock_timedrdlock");
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict until)
{
    uint64_t ns;
    if (writes_already(lock)) return EDEADLK;
    if (!host_deadline(clock, until, &ns)) return EINVAL;
    return take(try_write, can_write, lock, ns, "pthread_rwlock_timedwrlock");
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict until)
{
    return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, until);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict until)
{
    return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, until);
}

/* ---- spin locks: the word is ours, 0 free ---- */

static int try_spin(void *lock)
{
    volatile int *word = lock;
    if (*word) return EBUSY;
    *word = 1;
    return 0;
}
static bool spin_is_free(void *lock) { return *(volatile int *)lock == 0; }

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    (void)lock;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    int error = take(try_spin, spin_is_free, (void *)lock, HOST_NEVER, "pthread_spin_lock");
    host_locked();
    return error;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    int error = try_spin((void *)lock);
    if (error) host_tried();
    return had(error, (const void *)lock);
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    host_releases((const void *)lock);
    *lock = 0;
    return 0;
}

/* ---- once: the real one runs it; who comes meanwhile waits in virtual time ---- */

static bool once_is_settled(void *once)
{
    enum { IN_PROGRESS = 1 };
    return !(*(volatile pthread_once_t *)once & IN_PROGRESS);
}

int pthread_once(pthread_once_t *once, void (*fn)(void))
{
    host_wait(once_is_settled, once, HOST_NEVER, "pthread_once", nowhere);
    int error = LIBC(pthread_once)(once, fn);
    host_releases(once); /* who ran it tells, and who comes later learns */
    host_acquired(once);
    return error;
}
