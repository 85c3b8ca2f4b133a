/* Cards of this machine as the grader knows them: who is measured keeps others from all of its
 * cards. A script stands in for threelane-gpu; card N of it has the letter that
 * CUDA_VISIBLE_DEVICES has at N. */
#include <fcntl.h>
#include <glob.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/env.h"
#include "common/folder.h"
#include "common/text.h"
#include "grader/box/card.h"
#include "tests/unit/cases.h"

static const char script[] =
    "#!/bin/sh\n"
    "letter=$(echo \"$CUDA_VISIBLE_DEVICES\" | cut -d, -f$(($2 + 1)))\n"
    "[ -n \"$letter\" ] || { echo \"threelane: there is no card $2\" >&2; exit 7; }\n"
    "printf 'A card\\t90\\t13000\\t%s\\n' \"$letter\"\n";

static char folder[] = "/tmp/threelane-test-card-XXXXXX";

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char *path = memory_format("%s/threelane-gpu", folder);
    ck_assert_int_eq(text_write_file(path, script, sizeof script - 1), 0);
    ck_assert_int_eq(chmod(path, 0755), 0);
    setenv(ENV_HOME, folder, 1);
    setenv(ENV_NVCC, path, 1);
    free(path);
}

static void tidy(void) { folder_remove(folder); }

static Card cards(const char *visible, int gpus)
{
    char error[500] = "";
    Card card;
    setenv(ENV_CUDA_VISIBLE, visible, 1);
    ck_assert_msg(card_open(&card, 0, error, sizeof error), "%s", error);
    ck_assert_msg(card_take_more(&card, 0, gpus, "ex54", error, sizeof error), "%s", error);
    return card;
}

/* The files that stand for cards, in their order; *locked: how many of them somebody holds. */
static size_t lock_files(glob_t *files, size_t *locked)
{
    char *pattern = memory_format("%s/card-*.lock", folder);
    *locked = 0;
    if (glob(pattern, 0, NULL, files)) files->gl_pathc = 0;
    for (size_t i = 0; i < files->gl_pathc; i++) {
        int fd = open(files->gl_pathv[i], O_RDWR | O_CLOEXEC);
        *locked += flock(fd, LOCK_EX | LOCK_NB) != 0;
        close(fd);
    }
    free(pattern);
    return files->gl_pathc;
}

START_TEST(a_run_on_three_cards_keeps_others_from_each)
{
    Card card = cards("a,b,c", 3);
    glob_t files;
    size_t locked;
    ck_assert_str_eq(card.visible, "a,b,c");
    int *locks = card_lock(&card, folder);
    ck_assert_uint_eq(lock_files(&files, &locked), 3);
    ck_assert_uint_eq(locked, 3);

    card_unlock(locks);
    ck_assert_uint_eq(lock_files(&files, &locked), 3);
    ck_assert_uint_eq(locked, 0);
    card_close(&card);
}
END_TEST

START_TEST(a_card_that_is_there_twice_is_locked_once)
{
    Card card = cards("a,a", 2);
    glob_t files;
    size_t locked;
    int *locks = card_lock(&card, folder); /* would wait for itself */
    ck_assert_uint_eq(lock_files(&files, &locked), 1);
    ck_assert_uint_eq(locked, 1);
    card_unlock(locks);
    card_close(&card);
}
END_TEST

static bool asleep(pid_t pid)
{
    char *path = memory_format("/proc/%d/stat", (int)pid), line[200] = "";
    FILE *file = fopen(path, "re");
    bool read = file && fgets(line, sizeof line, file);
    char *end = read ? strrchr(line, ')') : NULL;
    if (file) fclose(file);
    free(path);
    return end && end[2] == 'S';
}

/* Whoever waits for the first card holds none of the others, whichever his own first one is. */
START_TEST_WITH(cards_are_locked_in_one_order, .times = 2)
{
    Card card = cards(_i ? "b,a" : "a,b", 2);
    glob_t files;
    size_t locked;
    char byte;
    int told[2];
    card_unlock(card_lock(&card, folder));
    ck_assert_uint_eq(lock_files(&files, &locked), 2);
    int first = open(files.gl_pathv[0], O_RDWR | O_CLOEXEC);
    ck_assert_int_eq(flock(first, LOCK_EX), 0);
    ck_assert_int_eq(unlink(files.gl_pathv[1]), 0); /* who locks it makes it again */

    ck_assert_int_eq(pipe(told), 0);
    pid_t waits = fork();
    if (!waits) {
        close(first); /* of the same open file: it would hold the lock, too */
        if (write(told[1], "", 1) != 1) _exit(1);
        card_unlock(card_lock(&card, folder));
        _exit(0);
    }
    ck_assert_int_eq((int)read(told[0], &byte, 1), 1);
    while (!asleep(waits)) usleep(1000);
    ck_assert_int_ne(access(files.gl_pathv[1], F_OK), 0);

    int status;
    close(first);
    ck_assert_int_eq(waitpid(waits, &status, 0), waits);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(access(files.gl_pathv[1], F_OK), 0);
    card_close(&card);
}
END_TEST

CASES("cards", .before = set_up, .after = tidy)
