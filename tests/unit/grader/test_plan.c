/* Laying out by keys what is expected: what each key does, what stays of a file, what is drawn. */
#include <stdlib.h>
#include <string.h>
#include "grader/watch/plan.h"
#include "tests/unit/canvas_cells.h"
#include "tests/unit/canvas_film.h"
#include "tests/unit/cases.h"

static const char drawn[] = "t=0: [H2D0]\nt=1: [K0] [H2D1]\nt=2: [K1] [D2H0]\nt=3: [D2H1]\n";
static char error[300];

static Plan start(const char *text)
{
    Prediction operations;
    Plan plan;
    ck_assert(prediction_read(&operations, drawn, strlen(drawn), error, sizeof error));
    ck_assert_msg(plan_start(&plan, &operations, text, error, sizeof error), "%s", error);
    return plan;
}

static PlanAnswer press(Plan *plan, ScreenKeyKind kind)
{
    return plan_key(plan, (ScreenKey){.kind = kind});
}

static PlanAnswer type(Plan *plan, char c)
{
    return plan_key(plan, (ScreenKey){.kind = SCREEN_CHARACTER, .code = (uint32_t)c});
}

static void expect_text(const Plan *plan, const char *wanted)
{
    char *text = plan_text(plan);
    ck_assert_str_eq(text, wanted);
    free(text);
}

START_TEST(keys_put_and_take)
{
    Plan plan = start(NULL);
    ck_assert_int_eq(plan.n_lanes, 3);
    ck_assert_int_eq(press(&plan, SCREEN_UP), PLAN_DRAW);
    ck_assert_int_eq(press(&plan, SCREEN_LEFT), PLAN_DRAW); /* there is nothing further left */
    press(&plan, SCREEN_ENTER);
    press(&plan, SCREEN_ENTER);
    ck_assert_int_eq(press(&plan, SCREEN_ENTER), PLAN_NOTHING); /* there are two of them */
    press(&plan, SCREEN_DOWN);
    press(&plan, SCREEN_HOME);
    press(&plan, SCREEN_RIGHT);
    type(&plan, ' ');
    type(&plan, ' ');
    ck_assert(plan.changed);
    expect_text(&plan, "# What I expect: operations where they start.\n"
                       "t=0: [H2D0]\nt=1: [K0] [H2D1]\nt=2: [K1]\n");
    press(&plan, SCREEN_LEFT);
    ck_assert_int_eq(type(&plan, 'x'), PLAN_DRAW);
    ck_assert_int_eq(type(&plan, 'x'), PLAN_NOTHING);
    expect_text(&plan, "# What I expect: operations where they start.\n"
                       "t=0: [H2D0]\nt=1: [K0] [H2D1]\n");
    ck_assert_int_eq(type(&plan, 'z'), PLAN_NOTHING);
    ck_assert_int_eq(type(&plan, 'q'), PLAN_DONE);
    ck_assert_int_eq(press(&plan, SCREEN_ESCAPE), PLAN_DONE);
    plan_release(&plan);
}
END_TEST

/* Rows come back, and what else somebody has written stays. */
START_TEST(a_file_goes_on)
{
    Plan plan = start("# mine\nt=0: [H2D1]\nt=5: [K0] [nothing]\n# the end\n");
    ck_assert(!plan.changed);
    expect_text(&plan, "# mine\nt=0: [H2D1]\nt=5: [K0]\n# the end\n");
    plan_release(&plan);

    Prediction operations;
    ck_assert(prediction_read(&operations, drawn, strlen(drawn), error, sizeof error));
    ck_assert(!plan_start(&plan, &operations, "t=0: K0\n", error, sizeof error));
    ck_assert(strstr(error, "line 1") != NULL);
    plan_release(&plan);
}
END_TEST

/* Every key, and the whole picture after it, in three sizes. */
START_TEST(pictures)
{
    static const char typed[] = "jlkh  jjjj lll x qLHGg09+-";
    Canvas c;
    ck_assert(canvas_init(&c, 60, 12, true));
    film_begin("plan-pictures");
    for (int size = 0; size < 3; size++) {
        Plan plan = start(size ? "# mine\nt=0: [H2D1]\nt=5: [K0] [nothing]\n# the end\n" : NULL);
        ck_assert(canvas_resize(&c, size == 2 ? 22 : 60 - size, 12 - 5 * size / 2));
        for (size_t i = 0; i < sizeof typed + 16; i++) {
            if (i < sizeof typed) type(&plan, typed[i]);
            else press(&plan, (ScreenKeyKind)(SCREEN_UP + i - sizeof typed));
            canvas_clear(&c);
            plan_draw(&plan, &c, (CanvasBox){1, 0, c.columns - 1, c.rows});
            film_shows(&c);
        }
        for (uint32_t t = 0; t < 12; t++) press(&plan, SCREEN_RIGHT);
        canvas_clear(&c);
        plan_draw(&plan, &c, (CanvasBox){0, 1, c.columns, c.rows - 1});
        film_shows(&c);
        plan_release(&plan);
    }
    film_end();
    canvas_release(&c);
}
END_TEST

/* Any keys at any size: what is drawn stays in its box. */
START_TEST(any_keys)
{
    Canvas c;
    Plan plan = start(NULL);
    unsigned long long seed = 3;
    ck_assert(canvas_init(&c, 80, 24, true));
    for (int round = 0; round < 3000; round++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t n = (uint32_t)(seed >> 33);
        if (n % 3) press(&plan, (ScreenKeyKind)(SCREEN_UP + n % 16));
        else type(&plan, "hjkl xqz09\r"[n / 3 % 11]);
        if (n % 50 == 0)
            ck_assert(canvas_resize(&c, 1 + (int)(n / 50 % 120), 1 + (int)(n / 6000 % 40)));
        canvas_clear(&c);
        plan_draw(&plan, &c, (CanvasBox){0, 0, c.columns, c.rows});
        check_cells(&c);
        ck_assert_uint_lt(plan.t, PLAN_TIMES);
        ck_assert_int_lt(plan.lane, plan.n_lanes);
    }
    canvas_release(&c);
    plan_release(&plan);
}
END_TEST

CASES("plans")
