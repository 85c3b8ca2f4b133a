/* Items over several threads: each once, what has an order in that order, and who stops the rest.
 * sim/spread alone, over a fake of the host's threads, so that the thread sanitizer can look at it:
 * make build/tests/test_spread CFLAGS='-g -O1 -fsanitize=thread' BUILD=build/tsan */
#include "sim/spread/spread.h"
#include "sim/host/host.h"
#include "tests/unit/cases.h"
#include <pthread.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 10, END = 2000, EVERY = 3 };

bool host_helper(void *(*fn)(void *), void *arg)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, fn, arg) == 0 && pthread_detach(thread) == 0;
}
void *host_acting(void) { return NULL; }
void host_act_for(void *acting) { (void)acting; }
void host_fatal(int status, TraceSite site, const char *format, ...)
{
    (void)site, (void)format;
    _exit(status);
}

static unsigned done[END];
static uint64_t order[END], n_order, stops_at;
static _Thread_local jmp_buf *out;

static void leave(void) { longjmp(*out, 1); }

static uint64_t work_of(uint64_t item)
{
    uint64_t x = item + 1;
    for (uint64_t k = item * 7919 % 500; k; k--) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x;
}

static void take_items(void)
{
    jmp_buf here;
    uint64_t item;
    out = &here;
    if (setjmp(here)) return;
    while (spread_next(&item)) {
        done[item] += work_of(item) ? 1 : 2;
        if (item % EVERY == 0 || item == stops_at) {
            spread_in_order();
            order[n_order++] = item;
        }
        if (item == stops_at) {
            spread_stop();
            return;
        }
    }
}

static void spread(uint64_t chunk, uint64_t stop)
{
    SpreadJob job = {FIRST, END, chunk, take_items, leave};
    memset(done, 0, sizeof done);
    n_order = 0;
    stops_at = stop;
    ck_assert(spread_begin(&job));
    ck_assert(spread_on);
    take_items();
    spread_end();
    ck_assert(!spread_on);
}

static void in_order_up_to(uint64_t last)
{
    uint64_t n = 0;
    for (uint64_t item = FIRST; item <= last; item++)
        if (item % EVERY == 0 || item == stops_at) ck_assert_uint_eq(order[n++], item);
    ck_assert_uint_eq(n, n_order);
}

START_TEST(each_item_once_and_in_order)
{
    setenv("THREELANE_CORES", "5", 1);
    ck_assert_uint_eq(spread_width(), 5);
    ck_assert(!spread_always());
    for (uint64_t round = 0; round < 40; round++) {
        spread(1 + round % 7, UINT64_MAX);
        for (unsigned i = FIRST; i < END; i++) ck_assert_uint_eq(done[i], 1);
        in_order_up_to(END - 1);
    }
}
END_TEST

START_TEST(who_stops_has_everything_before_and_nothing_ordered_after)
{
    setenv("THREELANE_CORES", "5:always", 1);
    ck_assert(spread_always());
    for (uint64_t stop = 500; stop < 540; stop++) {
        spread(1 + stop % 5, stop);
        for (unsigned i = FIRST; i <= stop; i++) ck_assert_uint_eq(done[i], 1);
        in_order_up_to(stop);
    }
}
END_TEST

START_TEST(one_processor_spreads_nothing)
{
    SpreadJob job = {FIRST, END, 1, take_items, leave};
    setenv("THREELANE_CORES", "1", 1);
    ck_assert(!spread_begin(&job));
    ck_assert(!spread_on);
    spread_turn(); /* returns */
}
END_TEST

START_TEST(a_child_makes_its_own_helpers)
{
    setenv("THREELANE_CORES", "4", 1);
    spread(2, UINT64_MAX);
    pid_t child = fork();
    if (!child) {
        spread(2, UINT64_MAX);
        in_order_up_to(END - 1);
        _exit(0);
    }
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    spread(3, UINT64_MAX);
    in_order_up_to(END - 1);
}
END_TEST

START_TEST(what_is_no_number_of_processors)
{
    static const char *const wrong[] = {"0", "-1", "x", "3x", "3:all", " "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pid_t child = fork();
        if (!child) {
            setenv("THREELANE_CORES", wrong[i], 1);
            _exit(spread_width() ? 0 : 1);
        }
        int status = -1;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(WEXITSTATUS(status), HOST_STATUS_MISUSE);
    }
}
END_TEST

CASES("spread")
