/* Saves are noticed, once each, whether the kernel tells or not, however the editor writes. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "grader/build/build.h"
#include "grader/watch/file_watch.h"
#include "common/folder.h"
#include "common/text.h"
#include "tests/unit/cases.h"

static char top[64], *folder, *file, *also;
static FileWatch *follow;

static void put(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");
    ck_assert_ptr_nonnull(to);
    fputs(text, to);
    fclose(to);
}

static void setup(void)
{
    strcpy(top, "/tmp/threelane-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(top));
    folder = memory_format("%s/exercises/ex43-overlap", top);
    file = memory_format("%s/ex43.cu", folder);
    also = memory_format("%s/.threelane/progress", top);
    ck_assert_int_eq(folder_make(folder), 0);
    put(file, "old");
    follow = NULL;
}

static void teardown(void)
{
    file_watch_free(follow);
    folder_remove(top);
    free(folder);
    free(file);
    free(also);
}

static void start(bool polling)
{
    follow = file_watch_new(polling);
    file_watch_set(follow, folder, file, also);
    ck_assert_int_eq(file_watch_polls(follow), polling);
}

/* The clock is ours: it goes on by as long as the command would wait, so that a test takes no time
 * and a busy machine changes nothing. What the kernel tells of files is there at once. */
static double clock_now = 1000;

/* What is told within `seconds`, waiting as the command does; *took: when the last of it was. */
static unsigned told(double seconds, int *times, double *took)
{
    double begin = clock_now;
    unsigned all = 0;
    *times = 0;
    while (clock_now - begin < seconds) {
        int wait = file_watch_timeout(follow, clock_now),
            left = (int)((begin + seconds - clock_now) * 1000) + 1;
        struct pollfd ready = {.fd = file_watch_fd(follow), .events = POLLIN};
        if (poll(&ready, 1, 0) <= 0)
            clock_now += (wait < 0 || wait > left ? left : wait ? wait : 1) * 1e-3;
        unsigned changed = file_watch_check(follow, clock_now);
        if (!changed) continue;
        all |= changed;
        ++*times;
        *took = clock_now - begin;
        if (seconds > *took + 0.15) seconds = *took + 0.15; /* long enough for a second telling */
    }
    return all;
}

static void saved_once(double within)
{
    int times;
    double took = 0;
    ck_assert_uint_eq(told(within + 0.2, &times, &took), FILE_WATCH_SOURCES);
    ck_assert_int_eq(times, 1);
    ck_assert_msg(took <= within, "%g s", took);
}

static void nothing(double seconds)
{
    int times;
    double took;
    ck_assert_uint_eq(told(seconds, &times, &took), 0);
}

START_TEST(names)
{
    static const char *const yes[] = {"ex43.cu", "a.h", "exercise.ini", "golden.txt", "b.cuh"};
    static const char *const no[] = {".ex43.cu.swp",        "ex43.cu~", "#ex43.cu#",
                                     ".#ex43.cu",           "4913",     "ex43.cu.tmp",
                                     "ex43.cu___jb_tmp___", "",         "."};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        ck_assert_msg(file_watch_source(yes[i]), "%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ck_assert_msg(!file_watch_source(no[i]), "%s", no[i]);
}
END_TEST

START_TEST_WITH(written_in_place, .times = 2)
{
    start(_i == 1);
    nothing(0.1);
    put(file, "new text");
    saved_once(0.35);
}
END_TEST

/* vim and many others: the old one aside, a new one written, the backup removed. */
START_TEST_WITH(renamed_into_place, .times = 2)
{
    start(_i == 1);
    char *backup = memory_format("%s~", file), *fresh = memory_format("%s/.ex43.cu.new", folder);
    ck_assert_int_eq(rename(file, backup), 0);
    put(fresh, "new");
    ck_assert_int_eq(rename(fresh, file), 0);
    ck_assert_int_eq(unlink(backup), 0);
    saved_once(0.35);
    free(backup);
    free(fresh);
}
END_TEST

/* The time of writing stays, as with cp -p: another file is another file. */
START_TEST(same_time_and_size)
{
    char *fresh = memory_format("%s/fresh", folder);
    struct stat about;
    start(false);
    ck_assert_int_eq(stat(file, &about), 0);
    put(fresh, "OLD");
    struct timespec times[2] = {about.st_atim, about.st_mtim};
    ck_assert_int_eq(utimensat(AT_FDCWD, fresh, times, 0), 0);
    ck_assert_int_eq(rename(fresh, file), 0);
    saved_once(0.2);
    free(fresh);
}
END_TEST

/* Emptied first, filled later: told when it is whole. */
START_TEST_WITH(in_two_steps, .times = 2)
{
    start(_i == 1);
    int fd = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC);
    nothing(0.3);
    ck_assert_int_eq(write(fd, "whole text", 10), 10);
    close(fd);
    saved_once(0.35);
}
END_TEST

/* Written by a program that never closes it. */
START_TEST(held_open)
{
    start(false);
    int fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    ck_assert_int_eq(write(fd, "more", 4), 4);
    saved_once(0.2);
    close(fd);
}
END_TEST

START_TEST(left_empty)
{
    start(false);
    put(file, "");
    nothing(0.4);
    saved_once(0.3);
}
END_TEST

START_TEST(noise)
{
    char *swap = memory_format("%s/.ex43.cu.swp", folder), *try = memory_format("%s/4913", folder);
    start(false);
    put(swap, "x");
    put(try, "x");
    unlink(try);
    put(swap, "xy");
    nothing(0.15);
    free(swap);
    free(try);
}
END_TEST

START_TEST_WITH(header_appears, .times = 2)
{
    char *header = memory_format("%s/mine.h", folder);
    start(_i == 1);
    put(header, "int x;");
    saved_once(0.35);
    free(header);
}
END_TEST

START_TEST_WITH(folder_goes_and_comes_back, .times = 2)
{
    start(_i == 1);
    char *exercises = memory_format("%s/exercises", top);
    folder_remove(exercises);
    saved_once(0.9);
    ck_assert_int_eq(mkdir(exercises, 0777), 0);
    nothing(0.1);
    ck_assert_int_eq(mkdir(folder, 0777), 0);
    put(file, "back");
    saved_once(0.35);
    put(file, "and again");
    saved_once(0.35);
    free(exercises);
}
END_TEST

START_TEST_WITH(the_other_file, .times = 2)
{
    int times;
    double took;
    start(_i == 1);
    char *state = memory_format("%s/.threelane", top);
    ck_assert_int_eq(mkdir(state, 0777), 0);
    put(also, "progress");
    ck_assert_uint_eq(told(0.5, &times, &took), FILE_WATCH_ALSO);
    free(state);
}
END_TEST

/* Where nothing happens, nothing wakes up. */
START_TEST(idle)
{
    start(false);
    ck_assert_int_eq(file_watch_timeout(follow, clock_now), -1);
}
END_TEST

CASES("follow", .before = setup, .after = teardown)
