/* Comparing reports with golden texts. */
#include <stdlib.h>
#include <string.h>
#include "grader/course/diff.h"
#include "tests/unit/cases.h"

static void expect(const char *expected, const char *got, bool first_only, const char *wanted)
{
    Text text = {0};
    diff_add(&text, expected, got, &(DiffOptions){.context = 1, .first_only = first_only});
    ck_assert_str_eq(text_string(&text), wanted);
    text_release(&text);
}

START_TEST(blanks)
{
    ck_assert(diff_equal("a  b\tc\n", "a b c"));
    ck_assert(diff_equal("a \nb\n\n\n", "a\nb"));
    ck_assert(diff_equal("", "\n \n"));
    ck_assert(diff_equal("a\r\nb", "a\nb"));
    ck_assert(!diff_equal("ab", "a b"));
    ck_assert(!diff_equal("a\n\nb", "a\nb"));
    ck_assert(!diff_equal("a", ""));
    ck_assert(!diff_equal("K0", "K1"));
    expect("same\n", "same  \n", false, "");
}
END_TEST

START_TEST(first_difference_in_context)
{
    expect("one\ntwo\nthree\nfour\nfive\nsix\n", "one\ntwo\nthrEe\nfour\nfIve\nsix\n", true,
           "  two\n- three\n+ thrEe\n^    ^\n  four\n. 1 more line differs.\n");
}
END_TEST

START_TEST(insertions_and_deletions)
{
    expect("a\nb\nc\n", "a\nc\n", false, "  a\n- b\n  c\n");
    expect("a\nc\n", "a\nb\nc\n", false, "  a\n+ b\n  c\n");
    expect("", "x\n", false, "+ x\n");
    expect("x\n", "", false, "- x\n");
}
END_TEST

START_TEST(every_difference)
{
    expect("1\n2\n3\n4\n5\n6\n7\n", "1\nX\n3\n4\n5\n6\nY\n", false,
           "  1\n- 2\n+ X\n^ ^\n  3\n. ...\n  6\n- 7\n+ Y\n^ ^\n");
}
END_TEST

START_TEST(caret_counts_columns)
{
    /* two bytes, one column */
    expect("\xc3\xa9x\n", "\xc3\xa9y\n", false, "- \xc3\xa9x\n+ \xc3\xa9y\n^  ^\n");
}
END_TEST

START_TEST(large_texts)
{
    Text a = {0}, b = {0}, out = {0};
    for (int i = 0; i < 20000; i++) {
        text_printf(&a, "line %d\n", i);
        text_printf(&b, "other %d\n", i);
    }
    diff_add(&out, text_string(&a), text_string(&b),
             &(DiffOptions){.context = 2, .first_only = true});
    ck_assert(out.length > 0);
    text_release(&a);
    text_release(&b);
    text_release(&out);
}
END_TEST

CASES("diff")
