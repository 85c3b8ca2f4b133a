/* What is written without and with colours, whatever terminal the environment speaks of. */
#include "common/terminal.h"
#include "tests/unit/cases.h"
#include <stdlib.h>

static Terminal opened(const char *term, ColorChoice choice)
{
    if (term) setenv("TERM", term, 1);
    else unsetenv("TERM");
    return terminal_open(stdout, choice, 40, true);
}

/* Who asks for colours gets some, also where nothing is known of the terminal: 8, as the header
 * promises 0, 8 or 256. */
START_TEST(colours_that_are_asked_for)
{
    unsetenv("NO_COLOR");
    ck_assert_int_eq(opened(NULL, COLOR_ALWAYS).colors, 8);
    ck_assert_int_eq(opened("dumb", COLOR_ALWAYS).colors, 8);
    ck_assert_int_eq(opened("no-such-terminal", COLOR_ALWAYS).colors, 8);

    setenv("NO_COLOR", "1", 1);
    ck_assert_int_eq(opened("dumb", COLOR_ALWAYS).colors, 8);
    ck_assert_int_eq(opened("dumb", COLOR_NEVER).colors, 0);
}
END_TEST

CASES("terminal")
