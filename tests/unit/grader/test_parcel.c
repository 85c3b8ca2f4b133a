/* What machines hand to each other in files: whole, or as good as not there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/folder.h"
#include "common/text.h"
#include "grader/cluster/parcel.h"
#include "tests/unit/cases.h"

static char folder[] = "/tmp/threelane-test-parcel-XXXXXX";
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
    Text parcel = {0};
    parcel_add_string(&parcel, "first");
    parcel_add(&parcel, "a\0b\n", 4);
    parcel_add_number(&parcel, 18446744073709551615ull);
    parcel_add_string(&parcel, NULL);
    ck_assert_int_eq(parcel_write(path, &parcel), 0);
    text_release(&parcel);
}

START_TEST(pieces_come_back)
{
    Parcel parcel;
    Text bytes = {0};
    write_one();
    ck_assert_int_eq(parcel_read(&parcel, path), 0);
    char *first = parcel_take_string(&parcel);
    parcel_take(&parcel, &bytes);
    ck_assert_str_eq(first, "first");
    ck_assert_uint_eq(bytes.length, 4);
    ck_assert_mem_eq(bytes.data, "a\0b\n", 4);
    ck_assert_uint_eq(parcel_take_number(&parcel), 18446744073709551615ull);
    ck_assert(!parcel_ended(&parcel));
    char *none = parcel_take_string(&parcel);
    ck_assert_str_eq(none, "");
    ck_assert(parcel_ended(&parcel) && !parcel.short_of);
    free(first);
    free(none);
    none = parcel_take_string(&parcel);
    ck_assert(parcel.short_of);
    free(none);
    text_release(&bytes);
    parcel_release(&parcel);
}
END_TEST

START_TEST(what_is_cut_short_or_changed_is_not_read)
{
    Text whole = {0};
    write_one();
    ck_assert_int_eq(text_read_file(&whole, path, 1 << 20), 0);
    for (size_t length = 0; length < whole.length; length++) {
        Parcel parcel;
        ck_assert_int_eq(text_write_file(path, whole.data, length), 0);
        ck_assert_int_eq(parcel_read(&parcel, path), EBADMSG);
        parcel_release(&parcel);
    }
    for (size_t at = 0; at < whole.length; at++) {
        Parcel parcel;
        whole.data[at] ^= 1;
        ck_assert_int_eq(text_write_file(path, whole.data, whole.length), 0);
        ck_assert_int_ne(parcel_read(&parcel, path), 0);
        parcel_release(&parcel);
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
        Parcel parcel;
        Text text = {0}, piece = {0};
        text_add(&text, pieces[i]);
        ck_assert_int_eq(parcel_write(path, &text), 0);
        ck_assert_int_eq(parcel_read(&parcel, path), 0);
        parcel_take(&parcel, &piece);
        ck_assert_msg(parcel.short_of && parcel_ended(&parcel) && !piece.length, "%s", pieces[i]);
        text_release(&text);
        text_release(&piece);
        parcel_release(&parcel);
    }
}
END_TEST

START_TEST(a_file_that_is_not_there)
{
    Parcel parcel;
    ck_assert_int_eq(parcel_read(&parcel, path), ENOENT);
    parcel_release(&parcel);
}
END_TEST

CASES("parcel", .before = set_up, .after = tidy)
