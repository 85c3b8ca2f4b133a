/* futex.c - the function syscall, as far as it waits or tells the time. std::future,
 * std::call_once, function-local statics and C++20's atomic waits call it for SYS_futex. Everything
 * else goes to the kernel as it is.
 */
#include "sim/host/host.h"
#include "sim/host/real_libc.h"
#include "sim/host/raw.h"
#include "sim/host/host_internal.h"
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>

const char host_has_futex;

typedef struct Sleeper {
    const volatile uint32_t *word;
    uint32_t value, bits;
    bool woken;
    struct Sleeper *next;
} Sleeper;

static Sleeper *sleepers; /* in order of arrival */

static bool may_wake(void *arg)
{
    Sleeper *sleeper = arg;
    return sleeper->woken || *sleeper->word != sleeper->value;
}

static long sleep_on(volatile uint32_t *word, uint32_t value, uint32_t bits, uint64_t deadline_ns)
{
    if (*word != value) return -EAGAIN;
    Sleeper me = {.word = word, .value = value, .bits = bits}, **link = &sleepers;
    while (*link) link = &(*link)->next;
    *link = &me;
    int error = host_wait(may_wake, &me, deadline_ns,
                          "a wait for another thread (future, atomic, once)", (TraceSite){NULL, 0});
    link = &sleepers;
    while (*link != &me) link = &(*link)->next;
    *link = me.next;
    host_acquired((const void *)(uintptr_t)word);
    return -error;
}

static long wake(const volatile uint32_t *word, int most, uint32_t bits)
{
    long n = 0;
    host_releases((const void *)(uintptr_t)word);
    for (Sleeper *sleeper = sleepers; sleeper && n < most; sleeper = sleeper->next) {
        if (sleeper->word != word || sleeper->woken || !(sleeper->bits & bits)) continue;
        sleeper->woken = true;
        n++;
    }
    return n;
}

static long futex(long a, long b, long c, long d, long e, long f)
{
    int operation = (int)b & FUTEX_CMD_MASK;
    const struct timespec *time = (const struct timespec *)d;
    uint64_t ns = HOST_NEVER;
    switch (operation) {
    case FUTEX_WAIT: /* for a length of time */
        if (time) {
            uint64_t now = host_now();
            if (!host_timespec_ns(time, &ns)) return -EINVAL;
            ns = ns > HOST_NEVER - 1 - now ? HOST_NEVER - 1 : now + ns;
        }
        return sleep_on((volatile uint32_t *)a, (uint32_t)c, FUTEX_BITSET_MATCH_ANY, ns);
    case FUTEX_WAIT_BITSET: /* until a time */
        if (time && !host_deadline((int)b & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                                   time, &ns))
            return -EINVAL;
        return sleep_on((volatile uint32_t *)a, (uint32_t)c, (uint32_t)f, ns);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
        uint32_t bits = operation == FUTEX_WAKE ? FUTEX_BITSET_MATCH_ANY : (uint32_t)f;
        long n = wake((volatile uint32_t *)a, (int)c, bits);
        if (n >= (int)c) return n;
        long more = raw_syscall(SYS_futex, a, b, (int)c - n, d, e, f); /* sleepers that are not ours
                                                                        */
        return more < 0 ? more : n + more;
    }
    default: return raw_syscall(SYS_futex, a, b, c, d, e, f);
    }
}

long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long),
         d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long), result;
    va_end(list);
    switch (number) {
    case SYS_futex:
        result =
            host_self()->foreign ? raw_syscall(number, a, b, c, d, e, f) : futex(a, b, c, d, e, f);
        break;
    case SYS_clock_gettime: return clock_gettime((clockid_t)a, (struct timespec *)b);
    case SYS_nanosleep: return nanosleep((const struct timespec *)a, (struct timespec *)b);
    case SYS_clock_nanosleep:
        result = -clock_nanosleep((clockid_t)a, (int)b, (const struct timespec *)c,
                                  (struct timespec *)d);
        break;
    case SYS_gettimeofday: return gettimeofday((struct timeval *)a, (void *)b);
    case SYS_sched_yield: return sched_yield();
#ifdef SYS_time
    case SYS_time: return time((time_t *)a);
#endif
    default: result = raw_syscall(number, a, b, c, d, e, f);
    }
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}
