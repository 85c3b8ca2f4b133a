/* Which blocks of a launch have hooks, and what is said of it. */
#include "sim/light/budget.h"
#include "tests/unit/cases.h"

enum { EACH = 1000 }; /* accesses of a block */

/* How many blocks of a launch are skipped. */
static uint64_t launch(const char *kernel, uint64_t blocks)
{
    BudgetLaunch l = {0};
    uint64_t skipped = 0;
    for (uint64_t n = 0; n < blocks; n++)
        if (budget_skips(&l, n, blocks, n * EACH)) {
            ck_assert(n > 0 && n + 1 < blocks);
            l.skipped += EACH;
            skipped++;
        }
    budget_ran(kernel, blocks * EACH, l.skipped);
    return skipped;
}

START_TEST(all_have_hooks_until_the_budget_is_spent)
{
    char text[512];
    budget_set(1000 * EACH);
    ck_assert_uint_eq(launch("first", 900), 0);
    ck_assert(!budget_text(text, sizeof text));
    uint64_t skipped = launch("second", 4000);
    ck_assert_uint_ge(skipped, 4000 - 100 - 18); /* from its 100th block on, but for samples */
    ck_assert_uint_le(skipped, 4000 - 100 - 16);
    ck_assert(budget_text(text, sizeof text));
    ck_assert_ptr_nonnull(strstr(text, "3 % of the 4000000 memory accesses of second;"));
}
END_TEST

START_TEST(samples_lie_evenly)
{
    BudgetLaunch l = {0};
    uint64_t last = 0, longest = 0;
    budget_set(0);
    for (uint64_t n = 0; n < 10000; n++) {
        if (budget_skips(&l, n, 10000, n * EACH)) continue;
        if (n - last > longest) longest = n - last;
        last = n;
    }
    ck_assert_uint_eq(last, 9999);
    ck_assert_uint_le(longest, 10000 / 16);
}
END_TEST

START_TEST(what_is_short_has_hooks)
{
    budget_set(1 << 20);
    launch("long", 2000);
    ck_assert_uint_eq(launch("short", 199), 0);
    ck_assert_uint_gt(launch("longer", 300), 0);
}
END_TEST

START_TEST(some_launches_never_go_without)
{
    BudgetLaunch l = {.never = true};
    budget_set(0);
    ck_assert(!budget_skips(&l, 5, 100, 5000000));
    budget_set(UINT64_MAX);
    ck_assert_uint_eq(launch("any", 1 << 16), 0);
}
END_TEST

START_TEST(numbers_are_read)
{
    ck_assert(budget_parse("all") && budget_parse("0") && budget_parse("123456"));
    ck_assert(!budget_parse("") && !budget_parse("-1") && !budget_parse("12k"));
    ck_assert(!budget_parse("everything") && !budget_parse(" 1"));
}
END_TEST

START_TEST(many_kernels_are_told_in_one_line)
{
    char text[512], small[64];
    static char names[100][8];
    budget_set(0);
    for (int i = 0; i < 100; i++) {
        snprintf(names[i], sizeof names[i], "k%d", i);
        launch(names[i], 1000 + 100 * (uint64_t)i);
    }
    ck_assert(budget_text(text, sizeof text));
    ck_assert_ptr_nonnull(strstr(text, " and 61 more;"));
    ck_assert(budget_text(small, sizeof small)); /* cut, and no further */
    ck_assert_uint_eq(strlen(small), sizeof small - 1);
}
END_TEST

CASES("budget")
