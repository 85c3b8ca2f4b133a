/* clocks.c - clocks and sleeps of libc, in virtual time.
 *
 * Wall clocks start at 2025-01-01 00:00 UTC, monotonic clocks at 1,000 s, CPU clocks at 0; all of
 * them move with the calling thread's virtual time. Sleeping with nothing else to wait for spends
 * it. poll and select look at their descriptors whenever something has happened; only when nothing
 * can happen in virtual time and they have no time-out do they really block. Not virtual: timerfd,
 * timer_create, setitimer, alarm, the time stamp counter.
 */
#include "sim/host/host.h"
#include "sim/host/raw.h"
#include "sim/host/host_internal.h"
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include "sim/host/real_libc.h"

const char host_has_clocks;

enum { NS = 1000000000 };

static uint64_t clock_origin(clockid_t clock)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI: return HOST_WALL_NS;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: return HOST_MONOTONIC_NS;
    default: return 0; /* CPU clocks */
    }
}

static bool is_clock(clockid_t clock)
{
    return clock < 0 || clock <= CLOCK_TAI; /* negative: a CPU clock of some process or thread */
}

static struct timespec to_timespec(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / NS), .tv_nsec = (long)(ns % NS)};
}

bool host_timespec_ns(const struct timespec *time, uint64_t *ns)
{
    if (!time || time->tv_nsec < 0 || time->tv_nsec >= NS) return false;
    if (time->tv_sec < 0) *ns = 0;
    else if ((uint64_t)time->tv_sec > HOST_NEVER / NS - 2) *ns = HOST_NEVER - 1;
    else *ns = (uint64_t)time->tv_sec * NS + (uint64_t)time->tv_nsec;
    return true;
}

bool host_deadline(clockid_t clock, const struct timespec *at, uint64_t *ns)
{
    if (!host_timespec_ns(at, ns)) return false;
    uint64_t origin = clock_origin(clock);
    *ns = *ns > origin ? *ns - origin : 0;
    return true;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    *time = to_timespec(clock_origin(clock) + host_read_clock());
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    uint64_t ns = HOST_WALL_NS + host_read_clock();
    *time = (struct timeval){.tv_sec = (time_t)(ns / NS), .tv_usec = (suseconds_t)(ns % NS / 1000)};
    if (zone) memset(zone, 0, sizeof(struct timezone));
    return 0;
}

time_t time(time_t *to)
{
    time_t seconds = (time_t)((HOST_WALL_NS + host_read_clock()) / NS);
    if (to) *to = seconds;
    return seconds;
}

clock_t clock(void) { return (clock_t)(host_read_clock() / (NS / CLOCKS_PER_SEC)); }

int timespec_get(struct timespec *time, int base)
{
    if (base != TIME_UTC) return 0;
    *time = to_timespec(HOST_WALL_NS + host_read_clock());
    return base;
}

clock_t times(struct tms *to)
{
    uint64_t ns = host_read_clock(), tick = NS / (uint64_t)sysconf(_SC_CLK_TCK);
    if (to) *to = (struct tms){.tms_utime = (clock_t)(ns / tick)};
    return (clock_t)((HOST_MONOTONIC_NS + ns) / tick);
}

int getrusage(__rusage_who_t who, struct rusage *to)
{
    long result = raw_syscall(SYS_getrusage, who, (long)to, 0, 0, 0, 0);
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    if (who == RUSAGE_CHILDREN) return 0;
    uint64_t ns = host_read_clock();
    to->ru_utime =
        (struct timeval){.tv_sec = (time_t)(ns / NS), .tv_usec = (suseconds_t)(ns % NS / 1000)};
    to->ru_stime = (struct timeval){0, 0};
    return 0;
}

/* ---- sleeping ---- */

static bool never(void *unused)
{
    (void)unused;
    return false;
}

/* Sleeps to an absolute virtual time; pthread_cancel may end it. */
static void sleep_until(uint64_t ns)
{
    HostThread *me = host_self();
    uint64_t late = host_costs()->sleep_late_ns;
    if (me->cancelled) pthread_testcancel();
    ns = ns < HOST_NEVER - 1 - late ? ns + late : HOST_NEVER - 1;
    if (host_alone(me)) host_advance_to(ns); /* nobody is there to cancel it */
    else if (ns <= me->clock) host_spend(0);
    else host_wait_cancellable(never, NULL, ns, "a sleep");
    if (me->cancelled) pthread_testcancel();
}

static void sleep_for(uint64_t ns)
{
    uint64_t now = host_now();
    sleep_until(ns > HOST_NEVER - 1 - now ? HOST_NEVER - 1 : now + ns);
}

int nanosleep(const struct timespec *length, struct timespec *left)
{
    uint64_t ns;
    if (!host_timespec_ns(length, &ns) || length->tv_sec < 0) {
        errno = EINVAL;
        return -1;
    }
    sleep_for(ns);
    if (left) *left = (struct timespec){0, 0};
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
    uint64_t ns;
    if (!is_clock(clock) || !host_timespec_ns(until, &ns) || until->tv_sec < 0) return EINVAL;
    if (flags & TIMER_ABSTIME) {
        host_deadline(clock, until, &ns);
        sleep_until(ns);
        return 0;
    }
    sleep_for(ns);
    if (left) *left = (struct timespec){0, 0};
    return 0;
}

int usleep(useconds_t us)
{
    sleep_for(us * 1000ull);
    return 0;
}

unsigned sleep(unsigned seconds)
{
    sleep_for(seconds * 1000000000ull);
    return 0;
}

/* ---- poll and select: in terms of a call that looks at the descriptors and does not wait ---- */

typedef struct Look {
    int (*look)(struct Look *); /* how many are ready; -1: failed, errno is set */
    struct pollfd *fds;
    nfds_t n;
    int width;
    fd_set *sets[3], wanted[3];
    int found;
} Look;

static int look_poll(Look *look)
{
    struct timespec none = {0, 0};
    long n = raw_syscall(SYS_ppoll, (long)look->fds, (long)look->n, (long)&none, 0, 0, 0);
    if (n >= 0) return (int)n;
    errno = (int)-n;
    return -1;
}

static int look_select(Look *look)
{
    struct timespec none = {0, 0};
    for (int i = 0; i < 3; i++)
        if (look->sets[i]) *look->sets[i] = look->wanted[i];
    long n = raw_syscall(SYS_pselect6, look->width, (long)look->sets[0], (long)look->sets[1],
                         (long)look->sets[2], (long)&none, 0);
    if (n >= 0) return (int)n;
    errno = (int)-n;
    return -1;
}

static bool looked(void *arg)
{
    Look *look = arg;
    look->found = look->look(look);
    return look->found != 0;
}

/* timeout_ns: HOST_NEVER or how long. Returns as poll does; HOST_NEVER with nothing ready: the
 * caller must block. */
static int wait_to_see(Look *look, bool any, uint64_t timeout_ns, bool *block)
{
    *block = false;
    if (timeout_ns == HOST_NEVER && any) {
        while (!looked(look)) {
            if (host_poll_once()) continue;
            *block = true; /* only the world outside can change anything */
            return 0;
        }
        return look->found;
    }
    if (looked(look)) return look->found;
    if (timeout_ns == 0) {
        host_tried();
        return 0;
    }
    uint64_t now = host_now();
    uint64_t until = timeout_ns >= HOST_NEVER - 1 - now ? HOST_NEVER : now + timeout_ns;
    int result =
        host_wait_cancellable(looked, look, until, look->look == look_poll ? "poll" : "select");
    if (result == ECANCELED) pthread_testcancel();
    return look->found;
}

static int poll_for(struct pollfd *fds, nfds_t n, uint64_t timeout_ns)
{
    Look look = {.look = look_poll, .fds = fds, .n = n};
    bool any = false, block;
    for (nfds_t i = 0; i < n; i++) any |= fds[i].fd >= 0;
    int result = wait_to_see(&look, any, timeout_ns, &block);
    if (!block) return result;
    long found = raw_syscall(SYS_ppoll, (long)fds, (long)n, 0, 0, 0, 0);
    if (found >= 0) return (int)found;
    errno = (int)-found;
    return -1;
}

int poll(struct pollfd *fds, nfds_t n, int timeout_ms)
{
    return poll_for(fds, n, timeout_ms < 0 ? HOST_NEVER : (uint64_t)timeout_ms * 1000000u);
}

/* The signal mask plays no part: nothing virtual waits for signals. */
int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    uint64_t ns = HOST_NEVER;
    (void)mask;
    if (timeout && (!host_timespec_ns(timeout, &ns) || timeout->tv_sec < 0)) {
        errno = EINVAL;
        return -1;
    }
    return poll_for(fds, n, ns);
}

static int select_for(int width, fd_set *in, fd_set *out, fd_set *error, uint64_t timeout_ns)
{
    Look look = {.look = look_select, .width = width, .sets = {in, out, error}};
    bool any = false, block;
    for (int i = 0; i < 3; i++) {
        if (!look.sets[i]) continue;
        look.wanted[i] = *look.sets[i];
        for (int fd = 0; fd < width && fd < FD_SETSIZE; fd++)
            any |= FD_ISSET(fd, look.sets[i]) != 0;
    }
    int result = wait_to_see(&look, any, timeout_ns, &block);
    if (!block) return result;
    for (int i = 0; i < 3; i++)
        if (look.sets[i]) *look.sets[i] = look.wanted[i];
    long found = raw_syscall(SYS_pselect6, width, (long)in, (long)out, (long)error, 0, 0);
    if (found >= 0) return (int)found;
    errno = (int)-found;
    return -1;
}

int select(int width, fd_set *restrict in, fd_set *restrict out, fd_set *restrict error,
           struct timeval *restrict timeout)
{
    uint64_t ns = HOST_NEVER;
    if (timeout) {
        if (timeout->tv_sec < 0 || timeout->tv_usec < 0) {
            errno = EINVAL;
            return -1;
        }
        ns = (uint64_t)timeout->tv_sec > HOST_NEVER / NS - 2
                 ? HOST_NEVER - 1
                 : (uint64_t)timeout->tv_sec * NS + (uint64_t)timeout->tv_usec * 1000;
    }
    return select_for(width, in, out, error, ns);
}

int pselect(int width, fd_set *restrict in, fd_set *restrict out, fd_set *restrict error,
            const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    uint64_t ns = HOST_NEVER;
    (void)mask;
    if (timeout && (!host_timespec_ns(timeout, &ns) || timeout->tv_sec < 0)) {
        errno = EINVAL;
        return -1;
    }
    return select_for(width, in, out, error, ns);
}
