/* Host threads in virtual time: order, waits, time-outs, polling, the driver thread, deadlocks,
 * endings. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "sim/host/host.h"
#include "sim/memory/memory.h"
#include "tests/unit/cases.h"

static const TraceSite nowhere = {NULL, 0};

/* ---- a log of what happened, in order ---- */

static char story[8192];

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    size_t n = strlen(story);
    va_list list;
    va_start(list, format);
    vsnprintf(story + n, sizeof story - n, format, list);
    va_end(list);
}

/* ---- a device whose events are a list of times ---- */

enum { MOST_EVENTS = 64 };
static uint64_t event_ns[MOST_EVENTS];
static uint64_t start_ns; /* of the test */
static int n_events, n_done, n_stuck;
static pthread_t main_os;
static void (*on_event)(int index);

static uint64_t next_ns(void) { return n_done < n_events ? event_ns[n_done] : HOST_NEVER; }

static void step(void)
{
    ck_assert(pthread_equal(pthread_self(), main_os)); /* kernels run only there */
    int index = n_done++;
    tell("event@%llu ", (unsigned long long)(event_ns[index] - start_ns));
    if (on_event) on_event(index);
}

static bool stuck(void)
{
    if (n_stuck == 0) return false;
    n_stuck--;
    tell("stuck ");
    return true;
}

static uint64_t now(void) { return host_now() - start_ns; }

static void add_event(uint64_t ns)
{
    int i = n_events++;
    ns += start_ns;
    for (; i > n_done && event_ns[i - 1] > ns; i--) event_ns[i] = event_ns[i - 1];
    event_ns[i] = ns;
}

static void set_up(void)
{
    static const HostDevice device = {.next_ns = next_ns, .step = step, .stuck = stuck};
    static const HostCosts costs = {0};
    main_os = pthread_self();
    story[0] = 0;
    n_events = n_done = n_stuck = 0;
    on_event = NULL;
    host_init(&device, &costs);
    host_spend(0);
    start_ns = host_now();
}

static bool done_reached(void *n) { return n_done >= *(int *)n; }
static bool is_set(void *flag) { return *(int *)flag != 0; }

/* ---- one thread ---- */

START_TEST(spending_lets_events_happen_in_time_order)
{
    add_event(30);
    add_event(10);
    add_event(20);
    host_spend(9);
    ck_assert_str_eq(story, "");
    host_spend(1); /* an event at t happens before the thread goes on at t */
    ck_assert_str_eq(story, "event@10 ");
    host_advance_to(start_ns + 35);
    ck_assert_str_eq(story, "event@10 event@20 event@30 ");
    ck_assert_uint_eq(now(), 35);
    host_advance_to(5); /* time does not go back */
    ck_assert_uint_eq(now(), 35);
    ck_assert_uint_eq(host_thread(), 1);
    ck_assert(!host_is_driver());
}
END_TEST

START_TEST(waiting_ends_at_the_time_of_the_event)
{
    int two = 2, four = 4;
    add_event(100);
    add_event(250);
    add_event(400);
    ck_assert_int_eq(host_wait(done_reached, &two, HOST_NEVER, "a", nowhere), 0);
    ck_assert_uint_eq(now(), 250);
    ck_assert_int_eq(host_wait(done_reached, &two, HOST_NEVER, "a", nowhere), 0); /* true already:
                                                                                     now */
    ck_assert_uint_eq(now(), 250);
    ck_assert_int_eq(host_wait(done_reached, &four, start_ns + 300, "a", nowhere), ETIMEDOUT);
    ck_assert_uint_eq(now(), 300);
    int three = 3; /* an event at the deadline is in time */
    ck_assert_int_eq(host_wait(done_reached, &three, start_ns + 400, "a", nowhere), 0);
    ck_assert_uint_eq(now(), 400);
    ck_assert_int_eq(host_wait(done_reached, &four, start_ns + 400, "a", nowhere), ETIMEDOUT);
    ck_assert_uint_eq(now(), 400);
}
END_TEST

START_TEST(a_stuck_device_is_asked_last)
{
    int one = 1;
    add_event(50);
    ck_assert_int_eq(host_wait(done_reached, &one, HOST_NEVER, "a", nowhere), 0);
    ck_assert_str_eq(story, "event@50 ");
    n_stuck = 1;
    int flag = 0;
    ck_assert_int_eq(host_wait(is_set, &flag, start_ns + 70, "a", nowhere), ETIMEDOUT); /* a
                                                                                           time-out
                                                                                           is
                                                                                           something
                                                                                         */
    ck_assert_str_eq(story, "event@50 ");
    on_event = NULL;
    host_poll();
    ck_assert_str_eq(story, "event@50 stuck ");
}
END_TEST

START_TEST(polling_moves_to_the_next_event)
{
    add_event(1000);
    add_event(5000);
    while (n_done < 2) host_poll();
    ck_assert_uint_eq(now(), 5000);
    for (int i = 0; i < 900; i++) host_poll(); /* nothing can happen: patience */
    ck_assert_uint_eq(now(), 5000);
}
END_TEST

/* ---- clocks ---- */

static uint64_t monotonic(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

START_TEST(repeated_clock_reads_cost_100_ns)
{
    uint64_t start = monotonic();
    ck_assert_uint_eq(monotonic(), start + 100);
    ck_assert_uint_eq(monotonic(), start + 200);
    host_spend(5000);
    ck_assert_uint_eq(monotonic(), start + 5200); /* the first after spending is free */
    ck_assert_uint_eq(monotonic(), start + 5300);
    host_spend(0);
    ck_assert_uint_eq(monotonic(), start + 5300); /* after a call that costs nothing as well */
    uint64_t before = now();
    for (int i = 0; i < 1000; i++) { /* but a loop of them ends */
        monotonic();
        host_spend(0);
    }
    ck_assert_uint_gt(now(), before + 10000);
}
END_TEST

START_TEST(spinning_on_the_clock_takes_exactly_that_long)
{
    add_event(now() + 300000);
    host_spend(1);
    uint64_t begin = monotonic(), from = now();
    while (monotonic() - begin < 1000000) {}
    ck_assert_uint_eq(now() - from, 1000000);
    ck_assert_int_eq(n_done, 1);
}
END_TEST

START_TEST(a_model_can_charge_for_clock_reads)
{
    static const HostDevice device = {.next_ns = next_ns, .step = step, .stuck = stuck};
    static const HostCosts costs = {.clock_read_ns = 25};
    host_init(&device, &costs);
    uint64_t start = monotonic();
    ck_assert_uint_eq(monotonic(), start + 25);
}
END_TEST

/* ---- threads ---- */

static void *spender(void *arg)
{
    uint64_t each = *(uint64_t *)arg;
    for (int i = 0; i < 4; i++) {
        host_spend(each);
        tell("%u@%llu ", host_thread(), (unsigned long long)now());
    }
    return arg;
}

START_TEST(the_thread_that_is_behind_runs)
{
    uint64_t ten = 10, fifteen = 15;
    pthread_t a, b;
    add_event(20);
    ck_assert_int_eq(pthread_create(&a, NULL, spender, &ten), 0);
    ck_assert_int_eq(pthread_create(&b, NULL, spender, &fifteen), 0);
    ck_assert_str_eq(story, ""); /* creation costs nothing, and the creator goes on */
    void *result;
    ck_assert_int_eq(pthread_join(b, &result), 0);
    ck_assert_ptr_eq(result, &fifteen);
    ck_assert_uint_eq(now(), 60);
    ck_assert_int_eq(pthread_join(a, NULL), 0);
    ck_assert_uint_eq(now(), 60);
    ck_assert_str_eq(story, "2@10 3@15 event@20 2@20 2@30 3@30 2@40 3@45 3@60 ");
}
END_TEST

static int waits_for;
static void *waiter(void *arg)
{
    (void)arg;
    host_wait(done_reached, &waits_for, HOST_NEVER, "b", nowhere);
    tell("%u woke@%llu ", host_thread(), (unsigned long long)now());
    return NULL;
}

START_TEST(all_who_wait_wake_at_the_event)
{
    pthread_t a, b;
    waits_for = 2;
    add_event(10);
    add_event(20);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    host_spend(50);
    tell("1@50 ");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    ck_assert_str_eq(story, "event@10 event@20 2 woke@20 3 woke@20 1@50 ");
}
END_TEST

static void *flag_setter(void *arg)
{
    host_spend(70);
    *(int *)arg = 1;
    host_spend(500);
    return NULL;
}

START_TEST(a_wait_ends_when_another_thread_made_it_true)
{
    int flag = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, flag_setter, &flag);
    ck_assert_int_eq(host_wait(is_set, &flag, HOST_NEVER, "c", nowhere), 0);
    ck_assert_uint_eq(now(), 70); /* not 570, when it spends again */
    pthread_join(thread, NULL);
    ck_assert_uint_eq(now(), 570);
}
END_TEST

START_TEST(pollers_and_workers)
{
    int flag = 0;
    pthread_t thread;
    add_event(30);
    pthread_create(&thread, NULL, flag_setter, &flag);
    while (!flag) host_poll();
    ck_assert_uint_eq(now(), 70);
    pthread_join(thread, NULL);
}
END_TEST

static volatile int ball;
static void *player(void *arg)
{
    int mine = (int)(intptr_t)arg;
    for (int i = 0; i < 20; i++) {
        while (ball != mine) host_poll();
        ball = 1 - mine;
    }
    return NULL;
}

START_TEST(two_pollers_hand_a_ball_to_and_fro)
{
    pthread_t a, b;
    add_event(1000000);
    ball = 0;
    pthread_create(&a, NULL, player, (void *)1);
    pthread_create(&b, NULL, player, (void *)0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    ck_assert_int_eq(n_done, 0); /* nothing had to happen for that */
    ck_assert_uint_eq(now(), 0);
}
END_TEST

static void *event_poller(void *arg)
{
    while (n_done < *(int *)arg) host_poll();
    tell("%u@%llu ", host_thread(), (unsigned long long)now());
    return NULL;
}

START_TEST(many_pollers_of_the_device)
{
    int one = 1, two = 2;
    pthread_t a, b;
    add_event(100);
    add_event(200);
    pthread_create(&a, NULL, event_poller, &two);
    pthread_create(&b, NULL, event_poller, &one);
    event_poller(&two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    ck_assert_str_eq(story, "event@100 3@100 event@200 1@200 2@200 ");
}
END_TEST

static void note_thread(uint32_t id, TraceThreadRole role, const char *name)
{
    tell("new %u %s %s. ", id, role == TRACE_THREAD_DRIVER ? "driver" : "host", name);
}

static void *nothing(void *arg) { return arg; }

START_TEST(threads_are_reported)
{
    pthread_t a, b;
    pthread_create(&a, NULL, nothing, NULL);
    host_on_thread(note_thread);
    pthread_create(&b, NULL, nothing, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    ck_assert_str_eq(story, "new 2 host thread 2. new 3 host thread 3. ");
    host_on_thread(NULL);
}
END_TEST

static void on_main(void *arg)
{
    *(int *)arg = pthread_equal(pthread_self(), main_os);
    tell("for %u. ", host_thread());
}

static void *asks_main(void *arg)
{
    host_spend(5);
    host_on_main(on_main, arg);
    return NULL;
}

START_TEST(work_for_the_main_thread)
{
    int there = 0;
    pthread_t thread;
    host_on_main(on_main, &there);
    ck_assert(there);
    there = 0;
    pthread_create(&thread, NULL, asks_main, &there);
    pthread_join(thread, NULL);
    ck_assert(there);
    ck_assert_str_eq(story, "for 1. for 2. ");
}
END_TEST

/* ---- the driver thread ---- */

static void host_function(void *arg)
{
    ck_assert(host_is_driver());
    ck_assert(!pthread_equal(pthread_self(), main_os));
    tell("fn%d@%llu ", *(int *)arg, (unsigned long long)now());
    host_spend(10);
}

static void host_function_done(void *arg, uint64_t end_ns)
{
    tell("done%d@%llu ", *(int *)arg, (unsigned long long)(end_ns - start_ns));
    add_event(end_ns - start_ns);
}

static int numbers[] = {0, 1, 2, 3};
static void queue_function(int index)
{
    if (index < 3)
        host_driver_run(host_function, &numbers[index], event_ns[index], host_function_done,
                        &numbers[index]);
}

START_TEST(host_functions_run_one_after_the_other)
{
    int six = 6;
    on_event = queue_function;
    host_on_thread(note_thread);
    add_event(100);
    add_event(100);
    add_event(105);
    ck_assert_int_eq(host_wait(done_reached, &six, HOST_NEVER, "d", nowhere), 0);
    ck_assert_uint_eq(now(), 130);
    ck_assert_str_eq(
        story,
        "event@100 new 2 driver driver. event@100 fn0@100 event@105 done0@110 event@110 fn1@110 "
        "done1@120 event@120 fn2@120 done2@130 event@130 ");
    host_on_thread(NULL);
}
END_TEST

/* ---- what libc offers ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *holder(void *arg)
{
    pthread_mutex_lock(&mutex);
    host_spend(*(uint64_t *)arg);
    pthread_mutex_unlock(&mutex);
    host_spend(1000);
    return NULL;
}

START_TEST(mutexes_wait_in_virtual_time)
{
    uint64_t hundred = 100;
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, NULL, holder, &hundred);
    host_spend(10);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20;
    ck_assert_int_eq(pthread_mutex_timedlock(&mutex, &until), ETIMEDOUT);
    ck_assert_uint_eq(now(), 30);
    ck_assert_int_eq(pthread_mutex_trylock(&mutex), EBUSY);
    ck_assert_int_eq(pthread_mutex_lock(&mutex), 0);
    ck_assert_uint_eq(now(), 100);
    ck_assert_int_eq(pthread_mutex_unlock(&mutex), 0);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(now(), 1100);
}
END_TEST

START_TEST(mutex_kinds_keep_their_meaning)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t checked, recursive;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    ck_assert_int_eq(pthread_mutex_lock(&checked), 0);
    ck_assert_int_eq(pthread_mutex_lock(&checked), EDEADLK);
    ck_assert_int_eq(pthread_mutex_unlock(&checked), 0);
    ck_assert_int_eq(pthread_mutex_unlock(&checked), EPERM);
    ck_assert_int_eq(pthread_mutex_lock(&recursive), 0);
    ck_assert_int_eq(pthread_mutex_lock(&recursive), 0);
    ck_assert_int_eq(pthread_mutex_unlock(&recursive), 0);
    ck_assert_int_eq(pthread_mutex_unlock(&recursive), 0);
}
END_TEST

static int tickets;
static void *taker(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    while (!tickets) pthread_cond_wait(&condition, &mutex);
    tickets--;
    tell("%u@%llu ", host_thread(), (unsigned long long)now());
    pthread_mutex_unlock(&mutex);
    return NULL;
}

START_TEST(conditions_wake_who_waited_longest)
{
    pthread_t threads[3];
    struct timespec until;
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, taker, NULL);
    host_spend(10);
    pthread_mutex_lock(&mutex);
    tickets = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    host_spend(10);
    ck_assert_str_eq(story, "2@10 ");
    pthread_mutex_lock(&mutex);
    tickets = 2;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    ck_assert_str_eq(story, "2@10 3@20 4@20 ");
    pthread_mutex_lock(&mutex);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 3;
    ck_assert_int_eq(pthread_cond_timedwait(&condition, &mutex, &until), ETIMEDOUT);
    ck_assert_uint_eq(now(), 3000000020u);
    ck_assert_int_eq(pthread_mutex_trylock(&mutex), EBUSY); /* it holds the mutex again */
    pthread_mutex_unlock(&mutex);
}
END_TEST

static sem_t semaphore;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;

static void *does_all(void *arg)
{
    uint64_t ns = *(uint64_t *)arg;
    host_spend(ns);
    int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    tell("%u barrier%s@%llu ", host_thread(), serial ? "!" : "", (unsigned long long)now());
    pthread_rwlock_rdlock(&rwlock);
    host_spend(ns);
    pthread_rwlock_unlock(&rwlock);
    pthread_rwlock_wrlock(&rwlock);
    host_spend(ns);
    pthread_rwlock_unlock(&rwlock);
    tell("%u written@%llu ", host_thread(), (unsigned long long)now());
    pthread_spin_lock(&spin);
    host_spend(10);
    pthread_spin_unlock(&spin);
    sem_post(&semaphore);
    return NULL;
}

START_TEST(barriers_rwlocks_spins_and_semaphores)
{
    uint64_t times[2] = {100, 200};
    pthread_t threads[2];
    struct timespec until;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, does_all, &times[i]);
    host_spend(0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50;
    ck_assert_int_eq(sem_timedwait(&semaphore, &until), -1);
    ck_assert_int_eq(errno, ETIMEDOUT);
    ck_assert_uint_eq(now(), 50);
    ck_assert_int_eq(sem_trywait(&semaphore), -1);
    ck_assert_int_eq(errno, EAGAIN);
    ck_assert_int_eq(sem_wait(&semaphore), 0);
    ck_assert_int_eq(sem_wait(&semaphore), 0);
    /* barrier at 200; both read, until 300 and 400; thread 3 goes on to write at once, then thread
     * 2 */
    ck_assert_str_eq(story, "3 barrier!@200 2 barrier@200 3 written@600 2 written@700 ");
    ck_assert_uint_eq(now(), 710);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    ck_assert_int_eq(pthread_barrier_destroy(&barrier), 0);
}
END_TEST

static void *sleeper(void *arg)
{
    (void)arg;
    for (;;) sleep(3600);
    return NULL;
}

/* ---- clocks, sleeps and descriptors in every form ---- */

/* What the clocks show when a program begins: the 1st of January 2025, and 1000 s since a start. */
#define WALL_NS (1735689600ull * 1000000000)
#define STEADY_NS (1000ull * 1000000000)

START_TEST(clocks_of_every_kind)
{
    static const clockid_t of_the_wall[] = {CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_TAI},
                           since_the_start[] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW,
                                                CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME},
                           of_processors[] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
    const struct {
        const clockid_t *clocks;
        size_t n;
        uint64_t origin;
    } kinds[] = {{of_the_wall, 3, WALL_NS}, {since_the_start, 4, STEADY_NS}, {of_processors, 2, 0}};
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < kinds[k].n; i++) {
            struct timespec at;
            host_spend(1500000001);
            ck_assert_int_eq(clock_gettime(kinds[k].clocks[i], &at), 0);
            ck_assert_uint_eq((uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec,
                              kinds[k].origin + host_now());
        }
    }
    errno = 0;
    struct timespec at;
    ck_assert_int_eq(clock_gettime(99, &at), -1);
    ck_assert_int_eq(errno, EINVAL);

    struct tms used;
    struct rusage usage;
    uint64_t tick = 1000000000 / (uint64_t)sysconf(_SC_CLK_TCK);
    memset(&used, 9, sizeof used);
    host_spend(1000000000);
    ck_assert_int_eq(times(&used), (clock_t)((STEADY_NS + host_now()) / tick));
    ck_assert_int_eq(used.tms_utime, (clock_t)(host_now() / tick));
    ck_assert(used.tms_stime == 0 && used.tms_cutime == 0 && used.tms_cstime == 0);
    host_spend(1000000000);
    ck_assert_int_eq(times(NULL), (clock_t)((STEADY_NS + host_now()) / tick));
    host_spend(1000000000);
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    ck_assert_int_eq(usage.ru_utime.tv_sec, (time_t)(host_now() / 1000000000));
    ck_assert_int_eq(usage.ru_utime.tv_usec, (suseconds_t)(host_now() % 1000000000 / 1000));
    ck_assert(usage.ru_stime.tv_sec == 0 && usage.ru_stime.tv_usec == 0);
    ck_assert_int_gt(usage.ru_maxrss, 0);
    ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
    ck_assert_int_eq(usage.ru_utime.tv_sec, 0);
    ck_assert_int_eq(getrusage((__rusage_who_t)77, &usage), -1);
    ck_assert_int_eq(errno, EINVAL);

    struct timeval day;
    char zone[8] = "zzzzzzz";
    host_spend(1000000000);
    ck_assert_int_eq(gettimeofday(&day, zone), 0);
    ck_assert_uint_eq((uint64_t)day.tv_sec * 1000000 + (uint64_t)day.tv_usec,
                      (WALL_NS + host_now()) / 1000);
    ck_assert(!zone[0] && !zone[7]);
    host_spend(1000000000);
    time_t seconds = 0;
    ck_assert_int_eq(time(&seconds), (time_t)((WALL_NS + host_now()) / 1000000000));
    ck_assert_int_eq(seconds, (time_t)((WALL_NS + host_now()) / 1000000000));
    host_spend(1000000000);
    ck_assert_int_eq(clock(), (clock_t)(host_now() / 1000));
    ck_assert_int_eq(timespec_get(&at, 7), 0);
    host_spend(1000000000);
    ck_assert_int_eq(timespec_get(&at, TIME_UTC), TIME_UTC);
    ck_assert_uint_eq((uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec,
                      WALL_NS + host_now());
}
END_TEST

START_TEST(sleeps_of_every_kind)
{
    struct timespec length = {1, 5}, left = {7, 7};
    uint64_t before = host_now();
    ck_assert_int_eq(nanosleep(&length, &left), 0);
    ck_assert_uint_eq(host_now() - before, 1000000005);
    ck_assert(left.tv_sec == 0 && left.tv_nsec == 0);
    left.tv_sec = 7;
    before = host_now();
    ck_assert_int_eq(clock_nanosleep(CLOCK_MONOTONIC, 0, &length, &left), 0);
    ck_assert_uint_eq(host_now() - before, 1000000005);
    ck_assert_int_eq(left.tv_sec, 0);
    length.tv_sec = (time_t)((STEADY_NS + host_now()) / 1000000000 + 3);
    ck_assert_int_eq(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &length, NULL), 0);
    ck_assert_uint_eq(STEADY_NS + host_now(), (uint64_t)length.tv_sec * 1000000000 + 5);
    before = host_now();
    ck_assert_int_eq(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &length, NULL), 0); /* it is
                                                                                            over */
    ck_assert_uint_eq(host_now(), before);
    usleep(30);
    ck_assert_uint_eq(host_now() - before, 30000);
    ck_assert_uint_eq(sleep(2), 0);
    ck_assert_uint_eq(host_now() - before, 2000030000);

    static const struct timespec wrong[] = {{0, 1000000000}, {0, -1}, {-1, 0}};
    struct pollfd none = {.fd = -1};
    before = host_now();
    for (size_t i = 0; i < 3; i++) {
        errno = 0;
        ck_assert_int_eq(nanosleep(&wrong[i], NULL), -1);
        ck_assert_int_eq(errno, EINVAL);
        ck_assert_int_eq(clock_nanosleep(CLOCK_REALTIME, 0, &wrong[i], NULL), EINVAL);
        errno = 0;
        ck_assert_int_eq(ppoll(&none, 1, &wrong[i], NULL), -1);
        ck_assert_int_eq(errno, EINVAL);
        errno = 0;
        ck_assert_int_eq(pselect(0, NULL, NULL, NULL, &wrong[i], NULL), -1);
        ck_assert_int_eq(errno, EINVAL);
    }
    ck_assert_int_eq(clock_nanosleep(99, 0, &length, NULL), EINVAL);
    errno = 0;
    ck_assert_int_eq(select(0, NULL, NULL, NULL, &(struct timeval){-1, 0}), -1);
    ck_assert_int_eq(errno, EINVAL);
    errno = 0;
    ck_assert_int_eq(select(0, NULL, NULL, NULL, &(struct timeval){0, -1}), -1);
    ck_assert_int_eq(errno, EINVAL);
    ck_assert_uint_eq(host_now(), before);
}
END_TEST

START_TEST(descriptors_in_every_form)
{
    int ends[2];
    struct timespec some = {0, 3000};
    ck_assert_int_eq(pipe(ends), 0);
    struct pollfd fds[] = {{.fd = -1, .events = POLLIN}, {.fd = ends[0], .events = POLLIN}};
    uint64_t before = host_now();
    ck_assert_int_eq(ppoll(fds, 2, &some, NULL), 0);
    ck_assert_uint_eq(host_now() - before, 3000);
    ck_assert_int_eq(poll(fds, 2, 4), 0);
    ck_assert_uint_eq(host_now() - before, 4003000);
    ck_assert_int_eq(poll(fds, 1, 1), 0); /* nothing to look at is a sleep */
    ck_assert_uint_eq(host_now() - before, 5003000);
    fd_set in, out, error;
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    ck_assert_int_eq(pselect(ends[0] + 1, &in, NULL, NULL, &some, NULL), 0);
    ck_assert_uint_eq(host_now() - before, 5006000);
    ck_assert(!FD_ISSET(ends[0], &in));
    FD_SET(ends[0], &in);
    ck_assert_int_eq(select(ends[0] + 1, &in, NULL, NULL, &(struct timeval){0, 2}), 0);
    ck_assert_uint_eq(host_now() - before, 5008000);

    ck_assert_int_eq(write(ends[1], "x", 1), 1);
    ck_assert_int_eq(ppoll(fds, 2, NULL, NULL), 1);
    ck_assert(fds[1].revents == POLLIN && !fds[0].revents);
    ck_assert_int_eq(poll(fds, 2, -1), 1);
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&error);
    FD_SET(ends[0], &in);
    FD_SET(ends[1], &out);
    FD_SET(ends[0], &error);
    ck_assert_int_eq(select(ends[1] + 1, &in, &out, &error, NULL), 2);
    ck_assert(FD_ISSET(ends[0], &in) && FD_ISSET(ends[1], &out) && !FD_ISSET(ends[0], &error));
    ck_assert_uint_eq(host_now() - before, 5008000);

    /* what the kernel refuses */
    close(ends[0]);
    FD_SET(ends[0], &in);
    errno = 0;
    ck_assert_int_eq(select(ends[0] + 1, &in, NULL, NULL, &(struct timeval){0, 0}), -1);
    ck_assert_int_eq(errno, EBADF);
    close(ends[1]);
}
END_TEST

/* ---- locks with a time at which they are given up ---- */

static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinner;

static void *asks_for_the_shelf(void *unused)
{
    (void)unused;
    struct timespec until = {(time_t)((WALL_NS + host_now()) / 1000000000 + 2), 0}, wrong = {0, -1};
    struct timespec steady = {(time_t)((STEADY_NS + host_now()) / 1000000000 + 5), 0};
    ck_assert_int_eq(pthread_rwlock_timedrdlock(&shelf, &wrong), EINVAL);
    ck_assert_int_eq(pthread_rwlock_timedwrlock(&shelf, &wrong), EINVAL);
    ck_assert_int_eq(pthread_rwlock_timedrdlock(&shelf, &until), ETIMEDOUT);
    ck_assert_uint_eq(WALL_NS + host_now(), (uint64_t)until.tv_sec * 1000000000);
    until.tv_sec++;
    ck_assert_int_eq(pthread_rwlock_timedwrlock(&shelf, &until), ETIMEDOUT);
    ck_assert_uint_eq(WALL_NS + host_now(), (uint64_t)until.tv_sec * 1000000000);
    ck_assert_int_eq(pthread_rwlock_clockwrlock(&shelf, CLOCK_MONOTONIC, &steady), ETIMEDOUT);
    ck_assert_uint_eq(STEADY_NS + host_now(), (uint64_t)steady.tv_sec * 1000000000);
    /* who only tries comes to when something changes */
    ck_assert_int_eq(pthread_rwlock_tryrdlock(&shelf), EBUSY);
    tell("given up; ");
    until.tv_sec += 100;
    ck_assert_int_eq(pthread_rwlock_timedrdlock(&shelf, &until), 0);
    tell("read@%llu ", (unsigned long long)(now() / 1000000000));
    ck_assert_int_eq(pthread_rwlock_tryrdlock(&shelf), 0); /* readers share */
    ck_assert_int_eq(pthread_rwlock_trywrlock(&shelf), EBUSY);
    ck_assert_int_eq(pthread_rwlock_unlock(&shelf), 0);
    ck_assert_int_eq(pthread_rwlock_unlock(&shelf), 0);
    ck_assert_int_eq(pthread_rwlock_clockwrlock(&shelf, CLOCK_REALTIME, &until), 0);
    ck_assert_int_eq(pthread_rwlock_timedrdlock(&shelf, &until), EDEADLK);
    ck_assert_int_eq(pthread_rwlock_timedwrlock(&shelf, &until), EDEADLK);
    ck_assert_int_eq(pthread_rwlock_unlock(&shelf), 0);
    ck_assert_int_eq(pthread_spin_lock(&spinner), 0);
    tell("spun@%llu ", (unsigned long long)(now() / 1000000000));
    ck_assert_int_eq(pthread_spin_unlock(&spinner), 0);
    return NULL;
}

START_TEST(locks_are_given_up_at_their_time)
{
    pthread_t other;
    sem_t none;
    struct timespec wrong = {0, 1000000000};
    ck_assert_int_eq(pthread_spin_init(&spinner, 0), 0);
    ck_assert_int_eq(pthread_rwlock_wrlock(&shelf), 0);
    ck_assert_int_eq(pthread_spin_trylock(&spinner), 0);
    ck_assert_int_eq(pthread_create(&other, NULL, asks_for_the_shelf, NULL), 0);
    sleep(20);
    ck_assert_int_eq(pthread_rwlock_unlock(&shelf), 0);
    sleep(10);
    ck_assert_int_eq(pthread_spin_unlock(&spinner), 0);
    ck_assert_int_eq(pthread_join(other, NULL), 0);
    ck_assert_int_eq(pthread_spin_destroy(&spinner), 0);
    ck_assert_str_eq(story, "given up; read@20 spun@30 ");

    /* a semaphore that is up needs no right time */
    ck_assert_int_eq(sem_init(&none, 0, 1), 0);
    ck_assert_int_eq(sem_timedwait(&none, &wrong), 0);
    errno = 0;
    ck_assert_int_eq(sem_timedwait(&none, &wrong), -1);
    ck_assert_int_eq(errno, EINVAL);
    errno = 0;
    ck_assert_int_eq(sem_trywait(&none), -1);
    ck_assert_int_eq(errno, EAGAIN);
}
END_TEST

START_TEST(cancelling_ends_a_sleep)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, sleeper, NULL);
    usleep(5);
    ck_assert_int_eq(pthread_tryjoin_np(thread, &result), EBUSY);
    ck_assert_int_eq(pthread_cancel(thread), 0);
    ck_assert_int_eq(pthread_join(thread, &result), 0);
    ck_assert_ptr_eq(result, PTHREAD_CANCELED);
    ck_assert_uint_eq(now(), 5000);
}
END_TEST

static void *detached(void *arg)
{
    usleep(20);
    sem_post(arg);
    pthread_exit(NULL);
}

START_TEST(detached_threads)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sem_init(&semaphore, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 50; i++) {
        pthread_create(&thread, i & 1 ? &attributes : NULL, detached, &semaphore);
        if (!(i & 1)) pthread_detach(thread);
        sem_wait(&semaphore);
    }
    ck_assert_uint_eq(now(), 50 * 20000);
}
END_TEST

static int n_once;
static void slow_once(void)
{
    usleep(9);
    n_once++;
}
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *calls_once(void *arg)
{
    pthread_once(&once, slow_once);
    tell("%u@%llu ", host_thread(), (unsigned long long)now());
    return arg;
}

START_TEST(once_is_waited_for)
{
    pthread_t thread;
    pthread_create(&thread, NULL, calls_once, NULL);
    calls_once(NULL);
    pthread_join(thread, NULL);
    ck_assert_int_eq(n_once, 1);
    ck_assert_str_eq(story, "1@9000 2@9000 ");
}
END_TEST

/* ---- endings: in a child whose output is read ---- */

static char said[32768];

static int child(void (*fn)(void))
{
    int fds[2], status;
    ck_assert_int_eq(pipe(fds), 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fds[1], STDERR_FILENO);
        dup2(fds[1], STDOUT_FILENO);
        close(fds[0]);
        close(fds[1]);
        set_up();
        fn();
        exit(0);
    }
    close(fds[1]);
    size_t n = 0;
    ssize_t got;
    while ((got = read(fds[0], said + n, sizeof said - 1 - n)) > 0) n += (size_t)got;
    said[n] = 0;
    close(fds[0]);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return status;
}

#define SAYS(text) ck_assert_msg(strstr(said, text), "expected \"%s\" in: %s", text, said)
#define EXITED(status, code) \
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == (code), "%#x: %s", status, said)
#define DIED(status, signal) \
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == (signal), "%#x: %s", status, said)

static bool hook_speaks;

static bool hook(int status, bool crashed)
{
    dprintf(STDERR_FILENO, "[hook %d%s]", status, crashed ? " crashed" : "");
    return hook_speaks;
}

static void note(const TraceNote *n)
{
    dprintf(STDERR_FILENO, "[note %d %s:%u %s]", n->severity, n->site.file ? n->site.file : "?",
            n->site.line, n->text);
}

static void *waits_for_mutex(void *arg)
{
    pthread_mutex_lock(&mutex);
    return arg;
}

static void wait_for_each_other(void)
{
    pthread_t thread;
    int flag = 0;
    host_set_exit_hook(hook, note);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, waits_for_mutex, NULL);
    printf("before");
    host_wait(is_set, &flag, HOST_NEVER, "cudaStreamSynchronize", (TraceSite){"ex43.cu", 21});
}

START_TEST(a_deadlock_names_every_thread)
{
    int status = child(wait_for_each_other);
    EXITED(status, HOST_STATUS_DEADLOCK);
    SAYS("before"); /* what was printed is not lost */
    SAYS("threelane: ex43.cu:21: deadlock: nothing can happen any more, and the program waits\n");
    SAYS("\n  thread 1 (main) waits in cudaStreamSynchronize at ex43.cu:21\n");
    SAYS("\n  thread 2 waits in pthread_mutex_lock at test_host.c:");
    SAYS("[note 2 ex43.cu:21 deadlock");
    SAYS("[hook 98]");
}
END_TEST

static void poll_for_ever(void)
{
    for (;;) host_poll();
}

START_TEST(polling_for_ever_is_a_deadlock)
{
    int status = child(poll_for_ever);
    EXITED(status, HOST_STATUS_DEADLOCK);
    SAYS("thread 1 (main) polls something that nobody will change at test_host.c:");
}
END_TEST

static void lock_twice(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}

static void *joins(void *arg)
{
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

static void join_in_a_circle(void)
{
    pthread_t me = pthread_self(), thread;
    pthread_create(&thread, NULL, joins, &me);
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&never, &mutex);
}

START_TEST(deadlocks_in_libc_calls)
{
    EXITED(child(lock_twice), HOST_STATUS_DEADLOCK);
    SAYS("thread 1 (main) waits in pthread_mutex_lock at test_host.c:");
    EXITED(child(join_in_a_circle), HOST_STATUS_DEADLOCK);
    SAYS("thread 1 (main) waits in pthread_cond_wait at");
    SAYS("thread 2 waits in pthread_join at");
}
END_TEST

static void misuse(void)
{
    host_set_exit_hook(hook, note);
    host_warn((TraceSite){"a.cu", 3}, "careful with %d", 5);
    host_warn(nowhere, "twice");
    host_fatal(HOST_STATUS_MISUSE, (TraceSite){"a.cu", 4}, "no %s", "good");
}

START_TEST(fatal_and_warning)
{
    EXITED(child(misuse), HOST_STATUS_MISUSE);
    ck_assert_str_eq(said,
                     "threelane: a.cu:3: warning: careful with 5\n[note 1 a.cu:3 careful with 5]"
                     "threelane: warning: twice\n[note 1 ?:0 twice]"
                     "threelane: a.cu:4: no good\n[note 2 a.cu:4 no good][hook 97]");
}
END_TEST

static void misuse_and_reports(void)
{
    hook_speaks = true;
    host_set_exit_hook(hook, note);
    host_fatal(HOST_STATUS_MISUSE, (TraceSite){"a.cu", 4}, "no %s", "good");
}

START_TEST(the_reason_is_repeated_after_reports)
{
    EXITED(child(misuse_and_reports), HOST_STATUS_MISUSE);
    ck_assert_str_eq(said, "threelane: a.cu:4: no good\n[note 2 a.cu:4 no good][hook 97]"
                           "threelane: a.cu:4: no good\n");
}
END_TEST

static void spend_huge_times(void)
{
    host_spend(UINT64_MAX);
    host_spend(UINT64_MAX);
    host_advance_to(HOST_NEVER);
    host_spend(1);
    dprintf(STDERR_FILENO, "%d", host_now() == HOST_NEVER - 1);
}

START_TEST(huge_times_do_not_wrap)
{
    EXITED(child(spend_huge_times), 0);
    ck_assert_str_eq(said, "1");
}
END_TEST

static void exits_with_3(void)
{
    host_set_exit_hook(hook, note);
    exit(3);
}
static void underscore_exits_with_4(void)
{
    host_set_exit_hook(hook, note);
    _exit(4);
}
static void forks(void)
{
    host_set_exit_hook(hook, note);
    if (fork() == 0) exit(1); /* the trace is not the child's */
    wait(NULL);
}
static void *goes_on(void *arg)
{
    usleep(10);
    fprintf(stderr, "still here at %llu ", (unsigned long long)now());
    return arg;
}
static void main_leaves(void)
{
    pthread_t thread;
    host_set_exit_hook(hook, note);
    pthread_create(&thread, NULL, goes_on, NULL);
    pthread_exit(NULL);
}

START_TEST(the_exit_hook_runs_once)
{
    EXITED(child(exits_with_3), 3);
    ck_assert_str_eq(said, "[hook 3]");
    EXITED(child(underscore_exits_with_4), 4);
    ck_assert_str_eq(said, "[hook 4]");
    EXITED(child(forks), 0);
    ck_assert_str_eq(said, "[hook 0]");
    EXITED(child(main_leaves), 0);
    ck_assert_str_eq(said, "still here at 10000 [hook 0]");
}
END_TEST

static __attribute__((noinline)) void write_to(void *address) { *(volatile char *)address = 1; }
static void *volatile low_address = (void *)0x10;
static void touch_null(void)
{
    host_set_exit_hook(hook, note);
    write_to(low_address);
}
static void touch_past_the_end(void)
{
    memory_init(1, 1 << 30);
    MemoryBlock *block =
        memory_alloc(TRACE_MEM_PINNED, -1, (4 << 20) - 4096, 0, (TraceSite){"ex43.cu", 9});
    write_to((void *)(block->address + block->bytes + 12));
}
static void touch_freed(void)
{
    memory_init(1, 1 << 30);
    MemoryBlock *block = memory_alloc(TRACE_MEM_DEVICE, 0, 4 << 20, 0, (TraceSite){"ex43.cu", 9});
    memory_release(block, (TraceSite){"ex43.cu", 30});
    write_to((void *)block->address);
}
static int deeper(int n)
{
    volatile char room[4096];
    room[0] = (char)n;
    return n < 0 ? 0 : deeper(n + 1) + room[0];
}
static void overflow_the_stack(void) { deeper(0); }
static void *overflows(void *arg)
{
    overflow_the_stack();
    return arg;
}
static void overflow_a_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, overflows, NULL);
    pthread_join(thread, NULL);
}
static volatile int zero;
static void divide(void) { zero = 100 / zero; }
static void (*volatile no_function)(void);
static void call_null(void)
{
    no_function();
    zero = 1; /* not a tail call */
}
static void give_up(void) { abort(); }
static void be_stopped(void)
{
    raise(SIGTERM);
    zero = 1;
}
/* In a program of its own: check handles these signals itself. */
static void stop_another(void) { execl("/proc/self/exe", "test_host", "be_stopped", NULL); }
static void run_out_of_time(void)
{
    raise(SIGXCPU);
    zero = 1;
}

START_TEST(crashes_are_explained)
{
    DIED(child(touch_null), SIGSEGV);
    SAYS("threelane: test_host.c:");
    SAYS("segmentation fault in write_to(): address 0x10 (a null pointer)\n");
    SAYS("[hook 139 crashed]");
    SAYS("[note 2 test_host.c:");
    DIED(child(touch_past_the_end), SIGSEGV);
    SAYS("(12 bytes past the end of the 4190208-byte block allocated at ex43.cu:9)\n");
    DIED(child(touch_freed), SIGSEGV);
    SAYS("(device memory freed at ex43.cu:30 (allocated at ex43.cu:9))\n");
    DIED(child(overflow_the_stack), SIGSEGV);
    SAYS("(the stack is full: recursion without end, or local arrays that are too large)\n");
    SAYS("in deeper()");
    DIED(child(overflow_a_thread), SIGSEGV);
    SAYS("(the stack is full");
    DIED(child(divide), SIGFPE);
    SAYS("arithmetic error in divide(): integer division by zero\n");
    DIED(child(call_null), SIGSEGV);
    SAYS("segmentation fault in call_null(): address 0 (a null pointer)");
    DIED(child(give_up), SIGABRT);
    SAYS("aborted in give_up()\n");
    DIED(child(stop_another), SIGTERM);
    SAYS("ended by SIGTERM in be_stopped()\n");
    DIED(child(run_out_of_time), SIGXCPU);
    SAYS("ended by SIGXCPU (the limit of processor time) in run_out_of_time()\n");
}
END_TEST

static MemoryBlock *block_of(TraceMemory kind, unsigned flags)
{
    memory_init(1, 1 << 30);
    return memory_alloc(kind, 0, 64, flags, (TraceSite){"ex42.cu", 12});
}
static void free_pinned(void) { free((void *)block_of(TRACE_MEM_PINNED, 0)->address); }
static void free_device(void) { free((void *)block_of(TRACE_MEM_DEVICE, 0)->address); }
static void free_managed(void) { free((void *)block_of(TRACE_MEM_MANAGED, 0)->address); }
static void grow_host_alloc(void)
{
    void *more = realloc((void *)block_of(TRACE_MEM_PINNED, 1)->address, 100);
    free(more);
}
static void free_again(void)
{
    MemoryBlock *block = block_of(TRACE_MEM_PINNED, 0);
    void *address = (void *)block->address;
    memory_release(block, (TraceSite){"ex42.cu", 20});
    free(address);
}
static void free_wild(void) { free((void *)(block_of(TRACE_MEM_DEVICE, 0)->address + 100000)); }

START_TEST(wrong_free_is_named)
{
    EXITED(child(free_pinned), HOST_STATUS_MISUSE);
    SAYS("threelane: test_host.c:");
    SAYS("free() of memory from cudaMallocHost (ex42.cu:12): use cudaFreeHost\n");
    EXITED(child(free_device), HOST_STATUS_MISUSE);
    SAYS("free() of memory from cudaMalloc (ex42.cu:12): use cudaFree\n");
    EXITED(child(free_managed), HOST_STATUS_MISUSE);
    SAYS("free() of memory from cudaMallocManaged (ex42.cu:12): use cudaFree\n");
    EXITED(child(grow_host_alloc), HOST_STATUS_MISUSE);
    SAYS("realloc() of memory from cudaHostAlloc (ex42.cu:12): use cudaFreeHost\n");
    EXITED(child(free_again), HOST_STATUS_MISUSE);
    SAYS("free() of memory from cudaMallocHost (ex42.cu:12), which was already freed at "
         "ex42.cu:20\n");
    EXITED(child(free_wild), HOST_STATUS_MISUSE);
    SAYS("which was never allocated (it lies in CUDA memory)\n");
}
END_TEST

int main(int argc, char **argv)
{
    if (chdir("/"))
        return 1; /* messages name files relative to here; from there, by their base name */
    if (argc > 1 && !strcmp(argv[1], "be_stopped")) be_stopped();
    return cases_run("host", argc, argv, &(CasesOptions){.before = set_up});
}
