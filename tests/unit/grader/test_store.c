/* What has been compiled is found again by what it was made from, and by nothing else. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/limits.h"
#include "grader/build/store.h"
#include "tests/unit/cases.h"

static char folder[] = "/tmp/store-XXXXXX", cache[64], made[64], place[64];

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(made, sizeof made, "%s/made", folder);
    snprintf(place, sizeof place, "%s/place", folder);
    ck_assert_int_eq(folder_make(cache), 0);
}

static void tidy(void) { folder_remove(folder); }

static void keep(const char *of, const char *object, size_t length)
{
    Text text = {0};
    text_add(&text, of);
    ck_assert_int_eq(text_write_file(made, object, length), 0);
    store_keep(cache, &text, made);
    text_release(&text);
}

/* What is taken for it, or NULL; the caller frees. */
static char *take(const char *of)
{
    Text text = {0}, bytes = {0};
    text_add(&text, of);
    unlink(place);
    bool taken = store_take(cache, &text, place);
    ck_assert(taken == (text_read_file(&bytes, place, LIMIT_SOURCE) == 0));
    text_release(&text);
    char *object = text_take(&bytes);
    if (taken) return object;
    free(object);
    return NULL;
}

/* Is it exactly this object? NULL: is there none? */
static bool takes(const char *of, const char *object)
{
    char *taken = take(of);
    bool is = object ? taken && !strcmp(taken, object) : !taken;
    free(taken);
    return is;
}

static char *only_entry(void)
{
    DIR *dir = opendir(cache);
    char *path = NULL;
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        ck_assert_ptr_null(path);
        path = memory_format("%s/%s", cache, entry->d_name);
    }
    closedir(dir);
    ck_assert_ptr_nonnull(path);
    return path;
}

START_TEST(what_was_kept_is_taken)
{
    ck_assert(takes("a source", NULL));
    keep("a source", "its object", 10);
    ck_assert(takes("a source", "its object"));
    ck_assert(takes("a source", "its object"));
    ck_assert(takes("a sourc", NULL));
    ck_assert(takes("a sourcf", NULL));
    ck_assert(takes("a source ", NULL));
    ck_assert(takes("", NULL));
    keep("a source", "another one", 11);
    ck_assert(takes("a source", "another one"));
    free(only_entry());
}
END_TEST

/* An entry of one source under the name that another one's would have, as when their hashes are the
 * same. */
START_TEST(nobody_gets_the_object_of_another_source)
{
    keep("a source", "its object", 10);
    char *one = only_entry();
    char *aside = memory_format("%s/aside", folder);
    ck_assert_int_eq(rename(one, aside), 0);
    keep("b source", "its Object", 10);
    char *other = only_entry();
    ck_assert_str_ne(one, other);
    ck_assert_int_eq(rename(aside, other), 0);
    ck_assert(takes("b source", NULL));
    keep("b source", "its Object", 10);
    ck_assert(takes("b source", "its Object"));
    free(one);
    free(other);
    free(aside);
}
END_TEST

START_TEST(what_is_damaged_is_no_entry)
{
    Text whole = {0};
    keep("a source", "its object", 10);
    char *path = only_entry();
    ck_assert_int_eq(text_read_file(&whole, path, LIMIT_SOURCE), 0);
    for (size_t n = 0; n < whole.length; n++) {
        ck_assert_int_eq(text_write_file(path, text_string(&whole), n), 0);
        ck_assert_msg(takes("a source", NULL), "%zu bytes of it", n);
    }
    for (size_t i = 0; i < whole.length; i++) {
        for (int bit = 0; bit < 8; bit++) {
            whole.data[i] ^= (char)(1 << bit);
            ck_assert_int_eq(text_write_file(path, text_string(&whole), whole.length), 0);
            ck_assert_msg(takes("a source", NULL), "bit %d of byte %zu", bit, i);
            whole.data[i] ^= (char)(1 << bit);
        }
    }
    text_add(&whole, "x");
    ck_assert_int_eq(text_write_file(path, text_string(&whole), whole.length), 0);
    ck_assert(takes("a source", NULL));
    ck_assert_int_eq(text_write_file(path, text_string(&whole), whole.length - 1), 0);
    ck_assert(takes("a source", "its object"));
    text_release(&whole);
    free(path);
}
END_TEST

START_TEST(what_is_no_file_of_ours_is_no_entry)
{
    char *other = memory_format("%s/other", folder);
    keep("a source", "its object", 10);
    char *path = only_entry();
    ck_assert_int_eq(rename(path, other), 0);
    ck_assert_int_eq(symlink(other, path), 0);
    ck_assert(takes("a source", NULL));
    keep("a source", "its object", 10);
    ck_assert(takes("a source", "its object"));
    if (geteuid() == 0) {
        ck_assert_int_eq(chown(path, 1, 1), 0);
        ck_assert(takes("a source", NULL));
    }
    free(path);
    free(other);
}
END_TEST

START_TEST(what_is_kept_has_its_bounds)
{
    char *large = memory_get(LIMIT_STORE_OBJECT + 1, 1);
    memset(large, 'x', LIMIT_STORE_OBJECT);
    keep("large", large, LIMIT_STORE_OBJECT + 1);
    ck_assert(takes("large", NULL));
    keep("large", large, LIMIT_STORE_OBJECT);
    ck_assert(takes("large", large));
    keep("empty", "", 0);
    ck_assert(takes("empty", NULL));
    free(large);

    /* whatever comes, there are no more names for entries than STORE_PLACES */
    enum { MORE = 400 };
    size_t taken = 0;
    for (int i = 0; i < MORE; i++) {
        char of[32];
        snprintf(of, sizeof of, "source %d", i);
        keep(of, of, strlen(of));
    }
    DIR *dir = opendir(cache);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        unsigned number;
        char rest;
        if (entry->d_name[0] == '.') continue;
        ck_assert_msg(sscanf(entry->d_name, "part-%3x%c", &number, &rest) == 1, "%s",
                      entry->d_name);
        ck_assert_uint_lt(number, STORE_PLACES);
    }
    closedir(dir);
    for (int i = 0; i < MORE; i++) {
        char of[32];
        snprintf(of, sizeof of, "source %d", i);
        taken += takes(of, of);
    }
    ck_assert_uint_gt(taken, MORE * 3 / 4);
}
END_TEST

/* Many at once, all in one place: each gets its own object or none. */
START_TEST(many_write_at_once)
{
    enum { WRITERS = 4, TIMES = 200 };
    pid_t writers[WRITERS];
    char object[WRITERS][8] = {"one", "two", "three", "four"};
    for (int w = 0; w < WRITERS; w++) {
        writers[w] = fork();
        if (writers[w]) continue;
        snprintf(made, sizeof made, "%s/made%d", folder, w);
        snprintf(place, sizeof place, "%s/place%d", folder, w);
        for (int i = 0; i < TIMES; i++) {
            keep("a source", object[w], strlen(object[w]));
            bool known = false;
            char *taken = take("a source");
            for (int k = 0; k < WRITERS && taken; k++) known |= !strcmp(taken, object[k]);
            free(taken);
            if (!known) _exit(1);
        }
        _exit(0);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status;
        ck_assert_int_eq(waitpid(writers[w], &status, 0), writers[w]);
        ck_assert_int_eq(status, 0);
    }
}
END_TEST

CASES("store", .before = set_up, .after = tidy)
