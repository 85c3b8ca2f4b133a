/* What a class hands in: whose file is which exercise, from names alone; and folders and zip files
 * that mean harm. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef WITHOUT_ZIP
#include <dirent.h>
#include <minizip/zip.h>
#define HAVE_ZIP 1
#endif
#include "common/limits.h"
#include "grader/build/build.h"
#include "common/folder.h"
#include "grader/classroom/inbox.h"
#include "tests/unit/cases.h"

static const char *const exercises[] = {"ex41", "ex42", "ex43"};
enum { EXERCISES = 3 };

static bool parse(const char *path, Handin *handin)
{
    static char copy[500];
    const char *parts[20];
    size_t n = 0;
    char *save = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *part = strtok_r(copy, "/", &save); part; part = strtok_r(NULL, "/", &save))
        parts[n++] = part;
    return inbox_parse(parts, n, exercises, EXERCISES, NULL, handin);
}

static const struct {
    const char *path, *student, *exercise;
    int attempt;
} names[] = {
    {"alice/ex43.cu", "alice", "ex43", 0},
    {"alice/Ex43.CU", "alice", "ex43", 0},
    {"alice/exercises/ex43-overlap/ex43.cu", "alice", "ex43", 0},
    {"alice/ex43/main.cu", "alice", "ex43", 0},
    {"bob smith_ex41.cu", "bob smith", "ex41", 0},
    {"bob-ex42.cu", "bob", "ex42", 0},
    {"Ada Lovelace_12345_assignsubmission_file_/ex43.cu", "Ada Lovelace", "ex43", 0},
    {"Ada_12345_assignsubmission_file/ex43.cu", "Ada", "ex43", 0},
    {"doejane_12345_67890_ex43.cu", "doejane_12345", "ex43", 0},
    {"doejane_LATE_12345_67890_ex43-2.cu", "doejane_12345", "ex43", 2},
    {"doejane_12345_67890_my_ex43.cu", "doejane_12345", "ex43", 0},
    {"doejane_12345_67890_bob_1_2_ex43.cu", "doejane_12345", "ex43", 0},
    {"alice/ex43 (3).cu", "alice", "ex43", 3},
    {"-rf/ex43.cu", "-rf", "ex43", 0},
    {"a\nb/ex43.cu", "a\nb", "ex43", 0},
    {"alice/index431.cu", NULL, NULL, 0},
    {"alice/ex431.cu", NULL, NULL, 0},
    {"ex43.cu", NULL, NULL, 0},
    {"alice/main.cu", NULL, NULL, 0},
};

START_TEST_WITH(test_names, .times = sizeof names / sizeof *names)
{
    Handin handin = {0};
    bool told = parse(names[_i].path, &handin);
    if (!names[_i].student) {
        ck_assert(!told);
        return;
    }
    ck_assert(told);
    ck_assert_str_eq(handin.student, names[_i].student);
    ck_assert_str_eq(handin.exercise, names[_i].exercise);
    ck_assert_int_eq(handin.attempt, names[_i].attempt);
    free(handin.student);
    free(handin.exercise);
}
END_TEST

static char folder[64];

static void put(const char *path, const char *text)
{
    char *full = memory_format("%s/%s", folder, path), *slash = strrchr(full, '/');
    *slash = 0;
    ck_assert_int_eq(folder_make(full), 0);
    *slash = '/';
    ck_assert_int_eq(text_write_file(full, text, strlen(text)), 0);
    free(full);
}

static const Handin *find(const Inbox *inbox, const char *student, const char *exercise)
{
    for (size_t i = 0; i < inbox->n; i++)
        if (!strcmp(inbox->items[i].student, student) &&
            !strcmp(inbox->items[i].exercise, exercise))
            return &inbox->items[i];
    return NULL;
}

static void expect(const Inbox *inbox, const char *student, const char *exercise, const char *bytes,
                   const char *problem)
{
    Text text = {0};
    char error[300] = "";
    const Handin *handin = find(inbox, student, exercise);
    if (!handin) ck_abort_msg("%s %s is not there", student, exercise);
    bool fine = inbox_read(inbox, handin, &text, error, sizeof error);
    if (bytes) {
        if (!fine) ck_abort_msg("%s %s: %s", student, exercise, error);
        ck_assert_str_eq(text_string(&text), bytes);
    } else {
        ck_assert(!fine);
        if (!strstr(error, problem)) ck_abort_msg("%s %s: %s", student, exercise, error);
    }
    text_release(&text);
}

START_TEST(test_folder)
{
    char error[500], path[200];
    Inbox inbox;
    strcpy(folder, "/tmp/inbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    put("alice/ex43.cu", "alice 43");
    put("alice/old/ex43.cu", "older");
    put("alice/notes.txt", "ex43");
    put("bob_ex41.cu", "bob 41");
    put("Kim Lee_11_assignsubmission_file_/ex43.cu", "one Kim");
    put("Kim Lee_11_assignsubmission_file_/old/ex43.cu", "older");
    put("Kim Lee_22_assignsubmission_file_/ex43.cu", "another Kim");
    put("Kim Lee_22_assignsubmission_file_/ex41.cu", "another Kim's 41");
    put("Ann Roe_1_assignsubmission_file_/ex41.cu", "one person, two exports");
    put("Ann Roe_2_assignsubmission_file_/ex43.cu", "the second");
    put("git/exercises/ex41-streams/ex41.cu", "git 41");
    put("git/exercises/ex41-streams/harness.cu", "not his");
    put("git/exercises/ex41-streams/solution.cu", "not his");
    put("git/exercises/ex41-streams/wrong/ex41.cu", "not his");
    put("git/.git/ex43.cu", "not a source");
    put("doe_1_2_ex42.cu", "first");
    put("doe_1_3_ex42-1.cu", "second");
    put("empty/ex43.cu", "");
    put("what/is_this.cu", "?");
    put("spaces and\nlines/ex43.cu", "odd");
    put("zero/ex43.cu", "x");
    snprintf(path, sizeof path, "%s/zero/ex43.cu", folder);
    ck_assert_int_eq(text_write_file(path, "a\0b", 3), 0);
    snprintf(path, sizeof path, "%s/linked", folder);
    ck_assert_int_eq(symlink("/", path), 0);
    snprintf(path, sizeof path, "%s/link_ex43.cu", folder);
    ck_assert_int_eq(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/pipe_ex43.cu", folder);
    ck_assert_int_eq(mkfifo(path, 0666), 0);
    snprintf(path, sizeof path, "%s/huge_ex43.cu", folder);
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    ck_assert_int_eq(ftruncate(fd, 100 << 20), 0);
    close(fd);
    ck_assert(inbox_open(&inbox, folder, exercises, EXERCISES, exercises, EXERCISES, error,
                         sizeof error));
    expect(&inbox, "alice", "ex43", "alice 43", NULL);
    expect(&inbox, "bob", "ex41", "bob 41", NULL);
    expect(&inbox, "Kim Lee_11", "ex43", "one Kim", NULL);
    expect(&inbox, "Kim Lee_22", "ex43", "another Kim", NULL);
    expect(&inbox, "Kim Lee_22", "ex41", "another Kim's 41", NULL);
    ck_assert_ptr_null(find(&inbox, "Kim Lee", "ex43"));
    expect(&inbox, "Ann Roe", "ex41", "one person, two exports", NULL);
    expect(&inbox, "Ann Roe", "ex43", "the second", NULL);
    expect(&inbox, "git", "ex41", "git 41", NULL);
    expect(&inbox, "doe_1", "ex42", "second", NULL);
    expect(&inbox, "spaces and\nlines", "ex43", "odd", NULL);
    expect(&inbox, "empty", "ex43", NULL, "empty");
    expect(&inbox, "zero", "ex43", NULL, "not a text");
    expect(&inbox, "link", "ex43", NULL, "a link");
    expect(&inbox, "pipe", "ex43", NULL, "not a regular file");
    expect(&inbox, "huge", "ex43", NULL, "larger than 4 MiB");
    /* whose folder is a link hears it, for all that others handed in */
    expect(&inbox, "linked", "ex43", NULL, "a link, which is not followed");
    expect(&inbox, "linked", "ex42", NULL, "a link, which is not followed");
    ck_assert_uint_eq(inbox.n, 18);
    ck_assert_uint_eq(inbox.n_unread, 1);
    ck_assert_uint_eq(inbox.n_others, 3);
    ck_assert_uint_eq(inbox.n_ignored, 1);
    inbox_close(&inbox);
    ck_assert(inbox_open(&inbox, folder, exercises, EXERCISES, exercises, 1, error, sizeof error));
    expect(&inbox, "bob", "ex41", "bob 41", NULL);
    expect(&inbox, "what", "ex41", "?", NULL); /* names no exercise: the one that is wanted */
    ck_assert_uint_eq(inbox.n, 6);
    ck_assert_uint_eq(inbox.n_ignored, 0);
    inbox_close(&inbox);
    folder_remove(folder);
    ck_assert(!inbox_open(&inbox, folder, exercises, EXERCISES, exercises, EXERCISES, error,
                          sizeof error));
}
END_TEST

/* Nobody's hand-in is passed over: what is not read has a row, and a reason. */
START_TEST(nobody_disappears)
{
    char error[500], path[2000];
    Inbox inbox;
    strcpy(folder, "/tmp/inbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    put("good/ex43.cu", "good");
    put("docx/ex43.docx", "no source");
    put("packed.tar.gz", "none");
    put("rar/work.rar", "none");
    put("given/solution.cu", "not his own");
    put("README.txt", "nobody's");
    put("__MACOSX/._x", "nobody's");
    int length = snprintf(path, sizeof path, "%s/deep", folder);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    for (int i = 0; i < 60; i++) {
        length += snprintf(path + length, sizeof path - (size_t)length, "/d");
        ck_assert_int_eq(mkdir(path, 0777), 0);
    }
    snprintf(path + length, sizeof path - (size_t)length, "/ex43.cu");
    ck_assert_int_eq(text_write_file(path, "deep", 4), 0);
    snprintf(path, sizeof path, "%s/pipe.zip", folder);
    ck_assert_int_eq(mkfifo(path, 0666), 0);

    ck_assert(inbox_open(&inbox, folder, exercises, EXERCISES, exercises, EXERCISES, error,
                         sizeof error));
    expect(&inbox, "good", "ex43", "good", NULL);
    expect(&inbox, "docx", "ex43", NULL, "no source file");
    expect(&inbox, "packed", "ex43", NULL, "only zip files are opened");
    expect(&inbox, "rar", "ex43", NULL, "only zip files are opened");
    expect(&inbox, "given", "ex43", NULL, "no source file");
    expect(&inbox, "deep", "ex43", NULL, "deeper than folders are entered");
    expect(&inbox, "pipe", "ex43", NULL, "not a regular file");
    ck_assert_uint_eq(inbox.n, 7);
    ck_assert_uint_eq(inbox.n_unread, 6);
    inbox_close(&inbox);
    folder_remove(folder);
}
END_TEST

/* One student's heap of files takes nothing from the others, and its list stays short. */
START_TEST(a_heap_of_sources)
{
    enum { HEAP = LIMIT_INBOX_SOURCES + 200 };
    char error[500], path[300];
    Inbox inbox;
    strcpy(folder, "/tmp/inbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    put("heap/ex43.cu", "heap");
    put("zoe/ex43.cu", "zoe");
    for (int i = 0; i < HEAP; i++) {
        snprintf(path, sizeof path, "%s/heap/%d%s.cu", folder, i, i % 2 ? "" : "-ex43");
        ck_assert_int_eq(text_write_file(path, "x", 1), 0);
    }
    ck_assert(inbox_open(&inbox, folder, exercises, EXERCISES, exercises, EXERCISES, error,
                         sizeof error));
    ck_assert_ptr_nonnull(find(&inbox, "heap", "ex43"));
    expect(&inbox, "zoe", "ex43", "zoe", NULL);
    ck_assert_uint_eq(inbox.n, 2);
    ck_assert_uint_eq(inbox.n_unread, 1);
    ck_assert_uint_le(inbox.n_others, LIMIT_INBOX_SOURCES);
    ck_assert_uint_eq(inbox.n_ignored, LIMIT_INBOX_LINES);
    ck_assert_uint_gt(inbox.n_untold, 100);
    inbox_close(&inbox);
    folder_remove(folder);
}
END_TEST

#ifdef HAVE_ZIP
static void zip_put(zipFile zip, const char *name, const char *bytes, size_t length, size_t times,
                    mode_t mode)
{
    zip_fileinfo about = {.external_fa = (uLong)mode << 16};
    ck_assert_int_eq(zipOpenNewFileInZip(zip, name, &about, NULL, 0, NULL, 0, NULL, Z_DEFLATED, 9),
                     ZIP_OK);
    for (size_t i = 0; i < times; i++)
        ck_assert_int_eq(zipWriteInFileInZip(zip, bytes, (unsigned)length), ZIP_OK);
    ck_assert_int_eq(zipCloseFileInZip(zip), ZIP_OK);
}

static int open_files(void)
{
    int n = 0;
    DIR *files = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(files);
    while (readdir(files)) n++;
    closedir(files);
    return n;
}

START_TEST(test_zip)
{
    static char zeros[1 << 20];
    char error[500], path[200], class_zip[200];
    Inbox inbox;
    strcpy(folder, "/tmp/inbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    memset(zeros, ' ', sizeof zeros);
    put("all/x", "");
    snprintf(path, sizeof path, "%s/all/x", folder);
    remove(path);
    snprintf(class_zip, sizeof class_zip, "%s/all/class.zip", folder);
    zipFile zip = zipOpen64(class_zip, APPEND_STATUS_CREATE);
    zip_put(zip, "alice/ex43.cu", "alice", 5, 1, S_IFREG | 0644);
    zip_put(zip, "bob_ex41.cu", "bob", 3, 1, S_IFREG | 0644);
    zip_put(zip, "../../eve/ex43.cu", "climbs", 6, 1, S_IFREG | 0644);
    zip_put(zip, "/etc/mallory/ex43.cu", "climbs", 6, 1, S_IFREG | 0644);
    zip_put(zip, "bomb/ex43.cu", zeros, sizeof zeros, 16, S_IFREG | 0644);
    zip_put(zip, "link/ex43.cu", "/etc/passwd", 11, 1, S_IFLNK | 0777);
    zipClose(zip, NULL);
    snprintf(path, sizeof path, "%s/carol.zip", folder);
    zip = zipOpen64(path, APPEND_STATUS_CREATE);
    zip_put(zip, "ex43.cu", "carol", 5, 1, S_IFREG | 0644);
    zipClose(zip, NULL);
    put("dan/x", "");
    snprintf(path, sizeof path, "%s/dan/work.zip", folder);
    zip = zipOpen64(path, APPEND_STATUS_CREATE);
    zip_put(zip, "my work/ex42.cu", "dan", 3, 1, S_IFREG | 0644);
    zipClose(zip, NULL);
    put("broken.zip", "PK\003\004 this is none");
    /* mallory hands in for carol, dan and nobody; Canvas's student keeps a folder in the zip
     * file */
    snprintf(path, sizeof path, "%s/mallory.zip", folder);
    zip = zipOpen64(path, APPEND_STATUS_CREATE);
    zip_put(zip, "carol/ex43.cu", "not hers", 8, 1, S_IFREG | 0644);
    zip_put(zip, "../dan/ex42.cu", "not his", 7, 1, S_IFREG | 0644);
    zipClose(zip, NULL);
    snprintf(path, sizeof path, "%s/lovelaceada_123_456_my_work.zip", folder);
    zip = zipOpen64(path, APPEND_STATUS_CREATE);
    zip_put(zip, "work/ex43.cu", "ada", 3, 1, S_IFREG | 0644);
    zipClose(zip, NULL);
    ck_assert(inbox_open(&inbox, folder, exercises, EXERCISES, exercises, EXERCISES, error,
                         sizeof error));
    expect(&inbox, "carol", "ex43", "carol", NULL);
    int files = open_files(); /* a class has hundreds of zip files, and more come in all day */
    expect(&inbox, "dan", "ex42", "dan", NULL);
    ck_assert_int_eq(open_files(), files);
    expect(&inbox, "mallory", "ex43", "not hers", NULL);
    expect(&inbox, "mallory", "ex42", NULL, "climbs");
    expect(&inbox, "lovelaceada_123", "ex43", "ada", NULL);
    ck_assert_uint_eq(inbox.n_ignored, 0);
    ck_assert_uint_eq(inbox.n_unread, 1); /* the broken one: for which exercise, nobody knows */
    expect(&inbox, "broken", "ex42", NULL, "damaged");
    expect(&inbox, "broken", "ex43", NULL, "damaged");
    inbox_close(&inbox);
    snprintf(path, sizeof path, "%s/all", folder);
    ck_assert(
        inbox_open(&inbox, path, exercises, EXERCISES, exercises, EXERCISES, error, sizeof error));
    expect(&inbox, "alice", "ex43", "alice", NULL);
    expect(&inbox, "bob", "ex41", "bob", NULL);
    expect(&inbox, "eve", "ex43", NULL, "climbs");
    expect(&inbox, "etc", "ex43", NULL, "not a plain path");
    expect(&inbox, "bomb", "ex43", NULL, "larger than 4 MiB");
    expect(&inbox, "link", "ex43", NULL, "a link");
    ck_assert_uint_eq(inbox.n, 6);
    inbox_close(&inbox);
    ck_assert(inbox_open(&inbox, class_zip, exercises, EXERCISES, exercises, EXERCISES, error,
                         sizeof error));
    expect(&inbox, "alice", "ex43", "alice", NULL);
    ck_assert_uint_eq(inbox.n, 6);
    inbox_close(&inbox);
    /* cut off and overwritten anywhere: an answer, never a crash */
    Text bytes = {0};
    ck_assert_int_eq(text_read_file(&bytes, class_zip, 1 << 24), 0);
    srand(7);
    for (int round = 0; round < 200; round++) {
        Text copy = {0};
        text_append(&copy, bytes.data,
                    round % 2 ? bytes.length : (size_t)rand() % bytes.length + 1);
        for (int i = 0; i < 8; i++) {
            size_t from = copy.length > 2000 ? copy.length - 2000 : 0;
            copy.data[from + (size_t)rand() % (copy.length - from)] = (char)rand();
        }
        ck_assert_int_eq(text_write_file(class_zip, copy.data, copy.length), 0);
        if (inbox_open(&inbox, class_zip, exercises, EXERCISES, exercises, EXERCISES, error,
                       sizeof error)) {
            for (size_t i = 0; i < inbox.n; i++) {
                Text text = {0};
                inbox_read(&inbox, &inbox.items[i], &text, error, sizeof error);
                ck_assert_uint_le(text.length, LIMIT_SUBMISSION);
                text_release(&text);
            }
            inbox_close(&inbox);
        }
        text_release(&copy);
    }
    text_release(&bytes);
    folder_remove(folder);
}
END_TEST
#endif

#ifdef HAVE_ZIP
/* More members than are looked at, and the source is the last. */
START_TEST(a_zip_without_end)
{
    char error[500], path[300], name[40];
    Inbox inbox;
    strcpy(folder, "/tmp/inbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    put("zoe/ex43.cu", "zoe");
    snprintf(path, sizeof path, "%s/many.zip", folder);
    zipFile zip = zipOpen64(path, APPEND_STATUS_CREATE);
    for (int i = 0; i < LIMIT_INBOX_MEMBERS; i++) {
        snprintf(name, sizeof name, "%d.txt", i);
        zip_put(zip, name, "", 0, 1, S_IFREG | 0644);
    }
    zip_put(zip, "ex43.cu", "last", 4, 1, S_IFREG | 0644);
    zipClose(zip, NULL);
    put("nested/x", "");
    snprintf(path, sizeof path, "%s/nested/work.zip", folder);
    zip = zipOpen64(path, APPEND_STATUS_CREATE);
    zip_put(zip, "inner.zip", "PK", 2, 1, S_IFREG | 0644);
    zipClose(zip, NULL);
    snprintf(path, sizeof path, "%s/bare.zip", folder);
    zip = zipOpen64(path, APPEND_STATUS_CREATE);
    zip_put(zip, "report.pdf", "%PDF", 4, 1, S_IFREG | 0644);
    zipClose(zip, NULL);
    snprintf(path, sizeof path, "%s/deep.zip", folder);
    zip = zipOpen64(path, APPEND_STATUS_CREATE);
    char member[400] = "";
    for (int i = 0; i < 80; i++) strcat(member, "d/");
    strcat(member, "ex43.cu");
    zip_put(zip, member, "deep", 4, 1, S_IFREG | 0644);
    zipClose(zip, NULL);

    ck_assert(inbox_open(&inbox, folder, exercises, EXERCISES, exercises, EXERCISES, error,
                         sizeof error));
    expect(&inbox, "zoe", "ex43", "zoe", NULL);
    expect(&inbox, "many", "ex43", NULL, "more than 100000 files");
    expect(&inbox, "nested", "ex43", NULL, "an archive in an archive");
    expect(&inbox, "bare", "ex43", NULL, "no source file");
    expect(&inbox, "deep", "ex43", NULL, "deeper than folders are entered");
    ck_assert_uint_eq(inbox.n, 5);
    inbox_close(&inbox);
    folder_remove(folder);
}
END_TEST
#endif

CASES("inbox")
