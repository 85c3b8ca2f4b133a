/* Work in a child process: results come back, hanging work is stopped, nothing waits. */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "grader/box/background.h"
#include "grader/box/runner.h"
#include "tests/unit/cases.h"

static void say(void *data, const int results[BACKGROUND_RESULTS])
{
    const char *words = data;
    if (write(results[0], words, strlen(words)) < 0 || write(results[1], "second", 6) < 0) _exit(1);
}

static void hang(void *data, const int results[BACKGROUND_RESULTS])
{
    (void)results;
    if (data) signal(SIGTERM, SIG_IGN);
    while (!jobs_interrupted()) pause();
}

static void crash(void *data, const int results[BACKGROUND_RESULTS])
{
    (void)data, (void)results;
    abort();
}

static BackgroundState wait_for(Background *b, double *took)
{
    double begin = background_clock();
    BackgroundState state;
    while ((state = background_poll(b)) == BACKGROUND_GOING) {
        struct pollfd ready = {.fd = b->end, .events = POLLIN};
        int wait = background_timeout(b);
        poll(&ready, 1, wait < 0 ? 5000 : wait);
    }
    *took = background_clock() - begin;
    return state;
}

START_TEST(results)
{
    Background b = {0};
    double took;
    Text text = {0}, other = {0};
    char words[] = "what it found";
    ck_assert_int_eq(background_poll(&b), BACKGROUND_NONE);
    ck_assert_int_eq(background_start(&b, say, words), 0);
    ck_assert(background_going(&b));
    ck_assert_int_eq(wait_for(&b, &took), BACKGROUND_DONE);
    ck_assert_int_eq(background_read(&b, 0, &text), 0);
    ck_assert_int_eq(background_read(&b, 1, &other), 0);
    ck_assert_str_eq(text_string(&text), "what it found");
    ck_assert_str_eq(text_string(&other), "second");
    background_close(&b);
    ck_assert_int_eq(background_poll(&b), BACKGROUND_NONE);
    text_release(&text);
    text_release(&other);
}
END_TEST

START_TEST_WITH(cancelled, .times = 2)
{
    Background b = {0};
    double took, least = _i ? 0.9 : 0, most = _i ? 1.6 : 0.5;
    ck_assert_int_eq(background_start(&b, hang, _i ? &b : NULL), 0);
    usleep(50000); /* so that the child ignores the request before it comes */
    ck_assert_int_eq(background_poll(&b), BACKGROUND_GOING);
    background_cancel(&b);
    ck_assert_int_eq(wait_for(&b, &took), BACKGROUND_STOPPED);
    ck_assert_msg(took >= least && took < most, "%g s", took);
    background_close(&b);
}
END_TEST

START_TEST(crashed)
{
    Background b = {0};
    double took;
    ck_assert_int_eq(background_start(&b, crash, NULL), 0);
    ck_assert_int_eq(wait_for(&b, &took), BACKGROUND_STOPPED);
    background_close(&b);
}
END_TEST

START_TEST(closed_while_going)
{
    Background b = {0};
    ck_assert_int_eq(background_start(&b, hang, NULL), 0);
    pid_t pid = b.pid;
    background_close(&b);
    ck_assert_int_eq(kill(pid, 0), -1);
}
END_TEST

CASES("background")
