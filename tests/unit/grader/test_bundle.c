/* What machines hand to each other in files: whole, or as good as not there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/text.h"
#include "grader/cluster/bundle.h"
#include "tests/unit/cases.h"

static char folder[] = "/tmp/threelane-test-bundle-XXXXXX";
static char *path;

static void set_up(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    path = memory_format("%s/one", folder);
}

static void tidy(void)
{
    folder_remove(folder);
    free(path);
}

static void write_one(void)
{
    Text bundle = {0};
    bundle_add_string(&bundle, "first");
    bundle_add(&bundle, "a\0b\n", 4);
    bundle_add_number(&bundle, 18446744073709551615ull);
    bundle_add_string(&bundle, NULL);
    ck_assert_int_eq(bundle_write(path, &bundle), 0);
    text_release(&bundle);
}

START_TEST(pieces_come_back)
{
    Bundle bundle;
    Text bytes = {0};
    write_one();
    ck_assert_int_eq(bundle_read(&bundle, path), 0);
    char *first = bundle_take_string(&bundle);
    bundle_take(&bundle, &bytes);
    ck_assert_str_eq(first, "first");
    ck_assert_uint_eq(bytes.length, 4);
    ck_assert_mem_eq(bytes.data, "a\0b\n", 4);
    ck_assert_uint_eq(bundle_take_number(&bundle), 18446744073709551615ull);
    ck_assert(!bundle_ended(&bundle));
    char *none = bundle_take_string(&bundle);
    ck_assert_str_eq(none, "");
    ck_assert(bundle_ended(&bundle) && !bundle.short_of);
    free(first);
    free(none);
    none = bundle_take_string(&bundle);
    ck_assert(bundle.short_of);
    free(none);
    text_release(&bytes);
    bundle_release(&bundle);
}
END_TEST

START_TEST(what_is_cut_short_or_changed_is_not_read)
{
    Text whole = {0};
    write_one();
    ck_assert_int_eq(text_read_file(&whole, path, 1 << 20), 0);
    for (size_t length = 0; length < whole.length; length++) {
        Bundle bundle;
        ck_assert_int_eq(text_write_file(path, whole.data, length), 0);
        ck_assert_int_eq(bundle_read(&bundle, path), EBADMSG);
        bundle_release(&bundle);
    }
    for (size_t at = 0; at < whole.length; at++) {
        Bundle bundle;
        whole.data[at] ^= 1;
        ck_assert_int_eq(text_write_file(path, whole.data, whole.length), 0);
        ck_assert_int_ne(bundle_read(&bundle, path), 0);
        bundle_release(&bundle);
        whole.data[at] ^= 1;
    }
    text_release(&whole);
}
END_TEST

START_TEST(lengths_that_lie)
{
    static const char *const pieces[] = {"9\nabc", "-1\nabc", "99999999999999999999\nabc",
                                         "3",      "\n",      "x\nabc",
                                         "3abc",   "4\nabc"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        Bundle bundle;
        Text text = {0}, piece = {0};
        text_add(&text, pieces[i]);
        ck_assert_int_eq(bundle_write(path, &text), 0);
        ck_assert_int_eq(bundle_read(&bundle, path), 0);
        bundle_take(&bundle, &piece);
        ck_assert_msg(bundle.short_of && bundle_ended(&bundle) && !piece.length, "%s", pieces[i]);
        text_release(&text);
        text_release(&piece);
        bundle_release(&bundle);
    }
}
END_TEST

START_TEST(a_file_that_is_not_there)
{
    Bundle bundle;
    ck_assert_int_eq(bundle_read(&bundle, path), ENOENT);
    bundle_release(&bundle);
}
END_TEST

CASES("bundle", .before = set_up, .after = tidy)
