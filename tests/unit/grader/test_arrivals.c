/* What has arrived whole in a folder. The clock is the test's own; that of the files is the
 * machine's, so files are made old. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/text.h"
#include "grader/follow/arrivals.h"
#include "tests/unit/cases.h"

static const char *const exercises[] = {"ex41", "ex43"};
static char folder[] = "/tmp/threelane-test-arrivals-XXXXXX";
static Arrivals *arrivals;
static Inbox inbox;
static double now;

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    arrivals = arrivals_new(folder, false);
    inbox = (Inbox){0};
    now = 100;
}

static void tidy(void)
{
    arrivals_free(arrivals);
    inbox_close(&inbox);
    folder_remove(folder);
}

static char *path_of(const char *student)
{
    return memory_format("%s/%s_ex41.cu", folder, student);
}

static void drop(const char *student, const char *bytes)
{
    char *path = path_of(student);
    ck_assert_int_eq(text_write_file(path, bytes, strlen(bytes)), 0);
    free(path);
}

/* True when somebody has come or gone. */
static bool look(double later)
{
    char error[500];
    Inbox fresh;
    now += later;
    arrivals_prepare(arrivals, now);
    ck_assert_msg(inbox_open(&fresh, folder, exercises, 2, exercises, 2, error, sizeof error), "%s",
                  error);
    bool changed = arrivals_look(arrivals, &fresh, now);
    inbox_close(&inbox);
    inbox = fresh;
    return changed;
}

static const char *next(void)
{
    const Handin *handin = arrivals_next(arrivals);
    return handin ? handin->student : "nobody";
}

START_TEST(a_file_that_stays_as_it_is)
{
    drop("ada", "int a;");
    ck_assert(look(0));
    ck_assert_str_eq(next(), "nobody");
    ck_assert_uint_eq(arrivals_waiting(arrivals), 1);
    drop("ada", "int ab;");
    ck_assert(!look(10));
    ck_assert_str_eq(next(), "nobody");
    look(10);
    ck_assert_str_eq(next(), "ada");
    ck_assert_str_eq(next(), "nobody");
    arrivals_done(arrivals, "ada", "ex41");
    look(10);
    ck_assert_str_eq(next(), "nobody");
    ck_assert_uint_eq(arrivals_waiting(arrivals), 0);
}
END_TEST

START_TEST(a_file_that_somebody_has_open)
{
    char *path = path_of("ada");
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    ck_assert_int_eq(write(fd, "int a;", 6), 6);
    look(0);
    for (int i = 0; i < 5; i++) {
        look(100);
        ck_assert_str_eq(next(), "nobody");
    }
    close(fd);
    look(1);
    ck_assert_str_eq(next(), "ada");
    free(path);
}
END_TEST

START_TEST(what_is_replaced_while_it_is_judged_waits)
{
    drop("ada", "int a;");
    look(0);
    look(10);
    ck_assert_str_eq(next(), "ada");
    drop("ada", "int other;");
    look(1);
    look(10);
    ck_assert_str_eq(next(), "nobody");
    ck_assert_uint_eq(arrivals_waiting(arrivals), 1);
    arrivals_done(arrivals, "ada", "ex41");
    ck_assert_str_eq(next(), "ada");
    arrivals_done(arrivals, "ada", "ex41");
    ck_assert_str_eq(next(), "nobody");
}
END_TEST

START_TEST(what_goes_and_comes_back_while_it_is_judged_waits)
{
    char *path = path_of("ada");
    drop("ada", "int a;");
    drop("bob", "int b;");
    look(0);
    look(10);
    ck_assert_str_eq(next(), "ada");
    unlink(path);
    ck_assert(look(1));
    drop("ada", "int other;");
    ck_assert(look(1));
    look(10);
    ck_assert_str_eq(next(), "bob");
    ck_assert_str_eq(next(), "nobody");
    arrivals_done(arrivals, "ada", "ex41");
    ck_assert_str_eq(next(), "ada");
    free(path);
}
END_TEST

START_TEST(who_comes_and_goes)
{
    char *path = path_of("bob");
    drop("ada", "int a;");
    drop("bob", "int b;");
    ck_assert(look(0));
    ck_assert(!look(1));
    unlink(path);
    ck_assert(look(1));
    ck_assert(!look(1));
    drop("bob", "int b;");
    ck_assert(look(1));
    free(path);
}
END_TEST

START_TEST(who_has_handed_in_nothing_yet_has_more_time)
{
    char *path = memory_format("%s/ada", folder);
    drop("bob", "int b;");
    mkdir(path, 0777);
    look(0);
    look(5);
    ck_assert_str_eq(next(), "bob");
    ck_assert_str_eq(next(), "nobody");
    ck_assert_uint_eq(arrivals_waiting(arrivals), 1);
    look(20);
    ck_assert_str_eq(next(), "ada");
    free(path);
}
END_TEST

START_TEST(it_is_told_when_to_look)
{
    ck_assert_int_ge(arrivals_fd(arrivals), 0);
    ck_assert(arrivals_due(arrivals, now));
    look(0);
    ck_assert(!arrivals_due(arrivals, now + 5));
    drop("ada", "int a;");
    ck_assert(!arrivals_due(arrivals, now + 5)); /* more may come */
    ck_assert(arrivals_due(arrivals, now + 6));
    look(6);
    ck_assert(!arrivals_due(arrivals, now));
    ck_assert(arrivals_due(arrivals, now + 1)); /* it has to settle */
    look(10);
    ck_assert_str_eq(next(), "ada");
    ck_assert(!arrivals_due(arrivals, now + 5));
    ck_assert(arrivals_due(arrivals, now + 600)); /* a notice may be lost */
}
END_TEST

START_TEST(without_notices_it_looks_by_itself)
{
    arrivals_free(arrivals);
    arrivals = arrivals_new(folder, true);
    ck_assert_int_eq(arrivals_fd(arrivals), -1);
    look(0);
    ck_assert(!arrivals_due(arrivals, now + 0.5));
    ck_assert(arrivals_due(arrivals, now + 5));
}
END_TEST

CASES("arrivals", .before = set_up, .after = tidy)
