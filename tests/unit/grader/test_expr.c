/* The numbers of exercise files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "grader/course/expr.h"
#include "tests/unit/cases.h"

static bool name(void *data, const char *word, double *value, char *error, size_t error_size)
{
    (void)data, (void)error, (void)error_size;
    *value = 7;
    return !strcmp(word, "BATCHES");
}

static bool measure(void *data, const char *function, const char *arguments, double *value,
                    char *error, size_t error_size)
{
    (void)data;
    if (!strcmp(function, "count")) {
        *value = (double)strlen(arguments);
        return true;
    }
    if (!strcmp(function, "empty")) snprintf(error, error_size, "nothing ran there");
    return false;
}

static char error[300];

static double eval(const char *text)
{
    double value = 0;
    ck_assert_msg(expr_eval(text, &(ExprScope){name, measure, NULL, false}, &value, error,
                            sizeof error),
                  "%s: %s", text, error);
    return value;
}

static void refuse(const char *text, const char *why)
{
    double value = 0;
    ck_assert_msg(!expr_eval(text, &(ExprScope){name, measure, NULL, false}, &value, error,
                             sizeof error),
                  "'%s' was taken", text);
    ck_assert_msg(strstr(error, why) != NULL, "'%s': '%s' does not say '%s'", text, error, why);
}

START_TEST(arithmetic)
{
    ck_assert_double_eq(eval("2 + 3 * 4"), 14);
    ck_assert_double_eq(eval("(2 + 3) * 4"), 20);
    ck_assert_double_eq(eval("10 - 4 - 3"), 3);
    ck_assert_double_eq(eval("12 / 4 / 3"), 1);
    ck_assert_double_eq(eval("-(1 - 3)"), 2);
    ck_assert_double_eq(eval(" .5 "), 0.5);
    ck_assert_double_eq(eval("2 * -3"), -6);
}
END_TEST

START_TEST(names_and_measures)
{
    ck_assert_double_eq(eval("(BATCHES + 3 - 1)"), 9);
    ck_assert_double_eq(eval("count(h2d@a*b) + 1"), 8);
    refuse("BATCH", "unknown name 'BATCH'");
    refuse("empty(x)", "nothing ran there");
    refuse("other(x)", "unknown name 'other'");
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    refuse("", "unexpected end");
    refuse("1 +", "unexpected end");
    refuse("1 2", "column 3");
    refuse("(1", "missing ')'");
    refuse("count(h2d", "missing ')'");
    refuse("1 / 0", "division by zero");
    refuse("1 / (BATCHES - 7)", "division by zero");
    refuse("0x10", "not one");
    refuse("1.2.3", "not one");
    refuse("inf", "unknown name");
    refuse("$", "unexpected character");
}
END_TEST

START_TEST(deep_nesting_ends)
{
    char text[3000];
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = 0;
    refuse(text, "nested too deeply");
    memset(text, '-', sizeof text - 1);
    refuse(text, "nested too deeply");
    memset(text, 'A', sizeof text - 1);
    refuse(text, "too long");
}
END_TEST

START_TEST(syntax_only_divides_by_zero)
{
    double value;
    ck_assert(expr_eval("1 / (BATCHES - 7)", &(ExprScope){name, measure, NULL, true}, &value, error,
                        sizeof error));
}
END_TEST

CASES("expr")
