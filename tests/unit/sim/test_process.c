/* How tlcc runs other programs, and several pieces of work at a time. */
#include "sim/tlcc/process.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit/cases.h"

static int sh(const char *script, const char *input, Bytes *output, Bytes *errors)
{
    Args words = {0};
    Bytes fed = {0};
    args_add(&words, "sh");
    args_add(&words, "-c");
    args_add(&words, script);
    if (input) bytes_add_string(&fed, input);
    int status = process_run(&words, input ? &fed : NULL, output, errors);
    args_release(&words);
    bytes_release(&fed);
    return status;
}

/* What was released is empty, and can be filled again. */
START_TEST(words_can_be_used_again)
{
    Args words = {0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 40; i++) args_format(&words, "word %d", i);
        ck_assert_int_eq(words.count, 40);
        ck_assert_str_eq(words.item[39], "word 39");
        ck_assert_ptr_null(words.item[40]);
        args_release(&words);
        ck_assert(!words.item && !words.count && !words.room);
    }
}
END_TEST

START_TEST(a_program_is_fed_and_heard)
{
    Bytes out = {0}, err = {0};
    ck_assert_int_eq(sh("cat; echo bad >&2; exit 3", "words", &out, &err), 3);
    ck_assert_str_eq(out.data, "words");
    ck_assert_str_eq(err.data, "bad\n");
    bytes_release(&out);
    bytes_release(&err);

    ck_assert_int_eq(sh("cat; echo end", NULL, &out, NULL), 0); /* there is nothing to read */
    ck_assert_str_eq(out.data, "end\n");
    bytes_release(&out);
    ck_assert_int_eq(sh("kill -KILL $$", NULL, NULL, NULL), 128 + SIGKILL);
    ck_assert_int_eq(sh("kill -PIPE $$", NULL, NULL, NULL), 128 + SIGPIPE);
}
END_TEST

/* More than a pipe holds, both ways, and a program that stops reading. */
START_TEST(nobody_waits_for_the_other)
{
    enum { MANY = 5 << 20 };
    char *much = malloc(MANY + 1);
    memset(much, 'x', MANY);
    much[MANY] = 0;
    Bytes out = {0}, err = {0};
    process_guard();
    ck_assert_int_eq(sh("tee /dev/stderr", much, &out, &err), 0);
    ck_assert_uint_eq(out.size, MANY);
    ck_assert_uint_eq(err.size, MANY);
    ck_assert_int_eq(memcmp(out.data, much, MANY), 0);
    bytes_release(&out);
    bytes_release(&err);
    ck_assert_int_eq(sh("head -c 3", much, &out, NULL), 0);
    ck_assert_str_eq(out.data, "xxx");
    bytes_release(&out);
    free(much);
}
END_TEST

START_TEST(what_cannot_be_started_is_named)
{
    Args words = {0};
    args_add(&words, "/nowhere/compiler");
    fflush(stderr);
    int kept = dup(2), file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    dup2(file, 2);
    int status = process_run(&words, NULL, NULL, NULL);
    dup2(kept, 2);
    char said[200] = "";
    ck_assert_int_gt(pread(file, said, sizeof said - 1, 0), 0);
    ck_assert_int_eq(status, 127);
    ck_assert_str_eq(said, "tlcc: cannot run '/nowhere/compiler': No such file or directory\n");
    args_release(&words);
    close(file);
    close(kept);
}
END_TEST

/* The first piece takes longest; the third fails before the second does. */
static int piece(void *arg, int i)
{
    int *pids = arg;
    if (pids) pids[i] = getpid();
    usleep(i ? 0 : 50000);
    printf("piece %d\n", i);
    fprintf(stderr, "of %d\n", i);
    return i == 1 ? 5 : i == 2 ? 6 : 0;
}

/* In a process of its own, whose words are read. */
static int each(int count, int parallel, char *said, size_t said_size)
{
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        printf("before\n"); /* is still to be written when the pieces begin */
        status = process_each(count, parallel, piece, NULL);
        fflush(stdout);
        _exit(status);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t n; (n = read(ends[0], said + length, said_size - 1 - length)) > 0;)
        length += (size_t)n;
    said[length] = 0;
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

START_TEST(pieces_are_heard_once_and_in_order)
{
    char said[20000];
    for (int parallel = 2; parallel <= 8; parallel *= 2) {
        ck_assert_int_eq(each(4, parallel, said, sizeof said), 5);
        ck_assert_str_eq(said,
                         "before\npiece 0\nof 0\npiece 1\nof 1\npiece 2\nof 2\npiece 3\nof 3\n");
    }
    ck_assert_int_eq(each(1, 8, said, sizeof said), 0);
    ck_assert_int_eq(each(3, 1, said, sizeof said), 5); /* one after the other */
    ck_assert_ptr_nonnull(strstr(said, "piece 2\n"));
    ck_assert_int_eq(each(200, 100, said, sizeof said), 5); /* more than are known at a time */
}
END_TEST

START_TEST(the_folder_goes_with_what_is_in_it)
{
    char path[5000], folder[4096];
    ck_assert_int_eq(setenv("TMPDIR", "/tmp", 1), 0);
    snprintf(folder, sizeof folder, "%s", process_directory());
    ck_assert_str_eq(process_directory(), folder); /* one */
    struct stat about;
    ck_assert_int_eq(stat(folder, &about), 0);
    ck_assert_uint_eq(about.st_mode & 0777, 0700);
    for (int i = 0; i < 130; i++) {
        snprintf(path, sizeof path, "%s/%d.o", folder, i);
        close(open(path, O_CREAT | O_WRONLY, 0600));
    }
    snprintf(path, sizeof path, "%s/program", folder);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    pid_t child = fork();
    if (child == 0) {
        process_clean(); /* is not the child's */
        _exit(0);
    }
    waitpid(child, NULL, 0);
    ck_assert_int_eq(access(path, F_OK), 0);
    process_clean();
    ck_assert_int_ne(access(folder, F_OK), 0);
}
END_TEST

START_TEST(a_signal_ends_the_children_too)
{
    int ends[2], status;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        process_guard();
        printf("%s\n", process_directory());
        fflush(stdout);
        _exit(sh("echo started; exec sleep 1000", NULL, NULL, NULL));
    }
    close(ends[1]);
    char said[5000] = "";
    size_t length = 0;
    while (!strstr(said, "started\n")) {
        ssize_t n = read(ends[0], said + length, sizeof said - 1 - length);
        ck_assert_int_gt(n, 0);
        length += (size_t)n;
    }
    kill(child, SIGTERM);
    char rest[10];
    ck_assert_int_eq(read(ends[0], rest, sizeof rest), 0); /* the sleeper has gone, too */
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    *strchr(said, '\n') = 0;
    ck_assert_int_ne(access(said, F_OK), 0);
}
END_TEST

CASES("process")
